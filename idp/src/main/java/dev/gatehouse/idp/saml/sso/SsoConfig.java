package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.backchannel.ArtifactResolver;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.SamlReader;
import dev.gatehouse.common.saml.SamlWriter;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.CancelEndpoint;
import dev.gatehouse.idp.authn.CrossSitePost;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.authn.PasswordRelease;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.consent.ConsentCheck;
import dev.gatehouse.idp.consent.ConsentEndpoint;
import dev.gatehouse.idp.consent.PendingReleases;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.saml.artifact.ArtifactStore;
import dev.gatehouse.idp.saml.nameid.NameIds;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/** Assembles the profile's endpoints. */
public final class SsoConfig {

  private SsoConfig() {}

  /**
   * @param otherReleases pending releases of other protocols: one consent page serves all
   * @return the routes {@code saml/sso}, {@code saml/init}, {@code saml/cancel} and {@code consent}
   */
  public static List<Route> routes(
      IdpSessions sessions,
      BrowserBinding browsers,
      PasswordRelease release,
      SamlPendingSignOns pending,
      SsoPartners partners,
      NameIds nameIds,
      Consents consents,
      PendingReleases otherReleases,
      ArtifactStore artifacts,
      ArtifactResolver resolver,
      ReplayCache replay,
      KeyRings keys,
      SamlReader reader,
      SamlWriter writer,
      Pages pages,
      Refusals refusals,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    PendingRequests<SignOn> pendingRequests = pending.pendingRequests();
    SamlPendingLogin waiting = new SamlPendingLogin(pendingRequests, replay, refusals, clock);
    SignOnAnswer answer =
        new SignOnAnswer(
            sessions,
            nameIds,
            new ConsentCheck(consents),
            waiting,
            release,
            new ResponseIssue(audit, refusals, clock, random),
            new ResponseDelivery(keys, writer, artifacts, pages),
            new ErrorResponseRate(refusals, clock));
    AuthnRequests requests = new AuthnRequests(reader, partners, keys, clock);
    ArtifactRequests byArtifact = new ArtifactRequests(reader, resolver, requests, keys);
    SamlReleases releases = new SamlReleases(pendingRequests, partners, sessions, answer);
    return List.of(
        Route.message(
            "saml/sso",
            new SsoEndpoint(
                requests, byArtifact, pendingRequests, partners, answer, waiting, new CrossSitePost(sessions, browsers), refusals)),
        Route.get("saml/init", new InitEndpoint(partners, answer, refusals, clock)),
        Route.post("saml/cancel", new CancelEndpoint(releases::cancel, browsers, refusals)),
        Route.form("consent", new ConsentEndpoint(releases.or(otherReleases), consents, browsers, audit, pages, refusals)));
  }
}
