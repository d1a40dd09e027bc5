package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.gateway.authn.AuthnServices;
import dev.gatehouse.gateway.cache.ResponseCache;
import dev.gatehouse.gateway.fill.FormFillDecisions;
import dev.gatehouse.gateway.message.RequestParser;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.refusal.TrafficGuard;
import dev.gatehouse.gateway.route.Routes;
import dev.gatehouse.gateway.traffic.GatewayMetrics;
import dev.gatehouse.sp.ServiceProvider;

/** The services that every exchange uses. */
public record ExchangeServices(
    Routes routes,
    ServiceProvider serviceProvider,
    AuthnServices authn,
    ResponseCache cache,
    FormFillDecisions fills,
    Refusals refusals,
    RequestParser requests,
    NodeLimits limits,
    GatewayMetrics metrics,
    TrafficGuard traffic) {}
