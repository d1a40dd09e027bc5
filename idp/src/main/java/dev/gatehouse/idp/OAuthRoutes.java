package dev.gatehouse.idp;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.AuthorizationCodec;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.ClientServices;
import dev.gatehouse.idp.oauth.proof.DpopProofs;
import dev.gatehouse.idp.oauth.proof.RequestObjects;
import dev.gatehouse.idp.oauth.registration.InitialAccessTokens;
import dev.gatehouse.idp.oauth.registration.RegistrationEndpoint;
import dev.gatehouse.idp.oauth.registration.Registrations;
import dev.gatehouse.idp.oauth.token.Authorizations;
import dev.gatehouse.idp.oauth.token.Codes;
import dev.gatehouse.idp.oauth.token.IssuedCode;
import dev.gatehouse.idp.oauth.token.IssuedCodeCodec;
import dev.gatehouse.idp.oauth.token.RefreshTokens;
import dev.gatehouse.idp.oauth.token.Revocations;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** The authorization server and OpenID provider put together. */
final class OAuthRoutes {

  private final Authorizations authorizations;
  private final ClientServices clients;
  private final DpopProofs proofs;
  private final RequestObjects requestObjects;
  private final List<Route> routes;

  OAuthRoutes(
      IdpSessions sessions,
      LoginRoutes logins,
      Directories directories,
      Stores stores,
      ReplayCache replay,
      SealingKey sealing,
      ClientServices clients,
      Registrations registrations,
      InitialAccessTokens initialAccess,
      AuditLog audit,
      RefusalLog refusals,
      InstantSource clock,
      RandomGenerator random) {
    SessionStore<Authorization> granted = stores.sessions(Authorization.STORE, new AuthorizationCodec());
    this.authorizations = new Authorizations(granted, sessions, directories, audit, clock);
    Codes codes = new Codes(stores.singleUse(IssuedCode.STORE, new IssuedCodeCodec()), clock, random);
    Revocations revocations = new Revocations(stores.singleUse(Revocations.STORE, new Revocations.Codec()), clock);
    RefreshTokens refreshTokens = new RefreshTokens(sealing, random);
    OAuthReplies replies = new OAuthReplies(refusals);
    this.clients = clients;
    this.proofs = new DpopProofs(replay, clock);
    this.requestObjects = new RequestObjects(clients.signatures(), clients.http(), clock);
    this.routes =
        List.of(
            new Route(
                RegistrationEndpoint.PATH,
                Set.of("GET", "POST", "PUT", "DELETE"),
                Route.FORM_BYTES,
                replies.guarded(
                    new RegistrationEndpoint(
                        registrations, initialAccess, clients, sealing, replies, audit, clock, random))));
  }

  List<Route> routes() {
    return routes;
  }

  /** What people let clients do. */
  Authorizations authorizations() {
    return authorizations;
  }
}
