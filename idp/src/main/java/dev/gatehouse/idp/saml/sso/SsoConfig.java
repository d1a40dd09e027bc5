package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.SamlReader;
import dev.gatehouse.common.saml.SamlWriter;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.saml.SpPartners;
import dev.gatehouse.idp.saml.nameid.NameIds;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/** Puts the profile's endpoints together. */
public final class SsoConfig {

  private SsoConfig() {}

  /** The routes {@code saml/sso} and {@code saml/init}. */
  public static List<Route> routes(
      IdpSessions sessions,
      BrowserBinding browsers,
      PendingSignOns pending,
      SpPartners partners,
      NameIds nameIds,
      ReplayCache replay,
      KeyRings keys,
      SamlReader reader,
      SamlWriter writer,
      Pages pages,
      Refusals refusals,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    ResponseIssue issue = new ResponseIssue(keys, writer, audit, clock, random);
    SignOnAnswer answer =
        new SignOnAnswer(
            sessions, browsers, pending, partners, nameIds, replay, issue, pages, refusals, clock);
    AuthnRequests requests = new AuthnRequests(reader, partners, clock);
    return List.of(
        Route.message("saml/sso", new SsoEndpoint(requests, pending, answer, sessions, browsers, refusals)),
        Route.get("saml/init", new InitEndpoint(partners, answer, refusals, clock)));
  }
}
