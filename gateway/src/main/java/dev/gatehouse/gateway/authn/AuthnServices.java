package dev.gatehouse.gateway.authn;

import dev.gatehouse.gateway.bearer.AccessTokens;
import dev.gatehouse.gateway.inject.IdentityTokens;
import dev.gatehouse.gateway.signon.SessionUses;
import dev.gatehouse.gateway.signon.VerifiedCertificates;
import dev.gatehouse.gateway.signon.VerifiedPasswords;
import dev.gatehouse.sp.session.AppSessionCache;
import java.time.InstantSource;

/** The services that authenticate requests and tell apps who sends them. */
public record AuthnServices(
    AppSessionCache sessions,
    AccessTokens tokens,
    VerifiedPasswords passwords,
    VerifiedCertificates certificates,
    IdentityTokens identityTokens,
    SessionUses uses,
    InstantSource time) {}
