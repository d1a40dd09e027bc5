package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.CancelEndpoint;
import dev.gatehouse.idp.authn.CrossSitePost;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.authn.PendingRequestsFactory;
import dev.gatehouse.idp.authn.PendingSignOns;
import dev.gatehouse.idp.consent.ConsentCheck;
import dev.gatehouse.idp.consent.PendingReleases;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.oauth.Cors;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.PendingQuota;
import dev.gatehouse.idp.oauth.client.ClientAuthentications;
import dev.gatehouse.idp.oauth.client.ClientLogos;
import dev.gatehouse.idp.oauth.client.ClientServices;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.oauth.proof.DpopProofs;
import dev.gatehouse.idp.oauth.proof.RequestObjects;
import dev.gatehouse.idp.oauth.token.AccessTokens;
import dev.gatehouse.idp.oauth.token.Authorizations;
import dev.gatehouse.idp.oauth.token.Codes;
import dev.gatehouse.idp.oidc.IdTokens;
import dev.gatehouse.idp.oidc.SessionStates;
import dev.gatehouse.idp.oidc.Subjects;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Assembles the authorization endpoint: first the pending requests, then the rest, which needs the token services. */
public final class AuthorizeConfig {

  static final String PATH = "oauth/authorize";
  static final String PUSHED = "oauth/par";
  static final String CANCEL = "oauth/cancel";

  private final PendingAuthorizations pending;
  private final PushedRequests pushed;
  private final IdpSessions sessions;
  private final BrowserBinding browsers;
  private final Clients clients;
  private final ClientLogos logos;
  private final Refusals refusals;
  private final InstantSource clock;
  private final RandomGenerator random;

  public AuthorizeConfig(
      Stores stores,
      PendingRequestsFactory pendingFactory,
      PendingQuota quota,
      IdpSessions sessions,
      ClientServices services) {
    this.clients = services.clients();
    this.logos = services.logos();
    this.pending = new PendingAuthorizations(pendingFactory, clients, sessions);
    this.pushed = new PushedRequests(stores, quota, pendingFactory.clock(), pendingFactory.random());
    this.sessions = sessions;
    this.browsers = pendingFactory.browsers();
    this.refusals = pendingFactory.refusals();
    this.clock = pendingFactory.clock();
    this.random = pendingFactory.random();
  }

  /** The requests that wait for a login. */
  public PendingSignOns signOns() {
    return pending;
  }

  /**
   * The releases that wait for consent, and the routes {@code oauth/authorize}, {@code oauth/par} and
   * {@code oauth/cancel}.
   */
  public record Assembled(PendingReleases releases, List<Route> routes) {}

  public Assembled assemble(
      ClientAuthentications authentications,
      RequestObjects objects,
      DpopProofs proofs,
      IdTokenHints hints,
      Codes codes,
      Authorizations authorizations,
      AccessTokens accessTokens,
      IdTokens idTokens,
      Subjects subjects,
      SessionStates states,
      Consents consents,
      Pages pages,
      OAuthReplies replies,
      AuditLog audit) {
    AuthorizationRequests requests = new AuthorizationRequests(hints, clock);
    PendingRequests<AuthorizationRequest> pendingRequests = pending.pendingRequests();
    AuthorizationPendingLogin waiting = new AuthorizationPendingLogin(pendingRequests, pushed);
    AuthorizationReply reply = new AuthorizationReply(pages);
    AuthorizationAnswer answer =
        new AuthorizationAnswer(
            sessions,
            subjects,
            new ClientConsents(new ConsentCheck(consents)),
            waiting,
            new AuthorizationIssue(codes, authorizations, accessTokens, idTokens, audit, clock, random),
            states,
            reply,
            refusals);
    OAuthReleases releases = new OAuthReleases(pendingRequests, clients, sessions, answer);
    return new Assembled(
        releases,
        List.of(
            Route.form(
                PATH,
                new AuthorizeEndpoint(
                    new IncomingRequests(clients, objects, pushed, requests),
                    pendingRequests,
                    clients,
                    answer,
                    waiting,
                    reply,
                    new CrossSitePost(sessions, browsers),
                    refusals)),
            new Route(
                PUSHED,
                Set.of("POST", "OPTIONS"),
                Route.FORM_BYTES,
                Cors.preflighted(
                    replies.guarded(
                        new PushedEndpoint(authentications, objects, proofs, requests, pushed, replies)))),
            Route.get(LogoEndpoint.PATH, new LogoEndpoint(clients, logos)),
            Route.post(CANCEL, new CancelEndpoint(releases::cancel, browsers, refusals))));
  }
}
