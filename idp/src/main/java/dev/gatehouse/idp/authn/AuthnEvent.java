package dev.gatehouse.idp.authn;

import java.time.Instant;

/** One contract that a person passed (SAML Core 2.7.2). @param level what it earned then */
public record AuthnEvent(Instant at, LoginContract contract, AuthnLevel level) {}
