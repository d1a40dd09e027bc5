package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.gateway.bearer.AccessTokens;
import dev.gatehouse.gateway.cache.ResponseCache;
import dev.gatehouse.gateway.fill.FormFillDecisions;
import dev.gatehouse.gateway.inject.IdentityTokens;
import dev.gatehouse.gateway.message.RequestParser;
import dev.gatehouse.gateway.route.Routes;
import dev.gatehouse.gateway.signon.SessionUses;
import dev.gatehouse.gateway.signon.VerifiedCertificates;
import dev.gatehouse.gateway.signon.VerifiedPasswords;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.session.AppSessionCache;
import java.time.InstantSource;
import java.util.List;

/** The services that every exchange uses. */
record ExchangeServices(
    Routes routes,
    ServiceProvider serviceProvider,
    AppSessionCache sessions,
    AccessTokens tokens,
    VerifiedPasswords passwords,
    VerifiedCertificates certificates,
    IdentityTokens identityTokens,
    SessionUses uses,
    ResponseCache cache,
    Refusals refusals,
    RequestParser requests,
    List<Cidr> trustedProxies,
    GatewayLimits limits,
    GatewayMetrics metrics,
    TrafficGuard traffic,
    InstantSource time,
    FormFillDecisions fills) {}
