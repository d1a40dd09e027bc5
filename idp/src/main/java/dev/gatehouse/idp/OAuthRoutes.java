package dev.gatehouse.idp;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.AuthorizationCodec;
import dev.gatehouse.idp.oauth.token.Authorizations;
import dev.gatehouse.idp.oauth.token.Codes;
import dev.gatehouse.idp.oauth.token.IssuedCode;
import dev.gatehouse.idp.oauth.token.IssuedCodeCodec;
import dev.gatehouse.idp.oauth.token.RefreshTokens;
import dev.gatehouse.idp.oauth.token.Revocations;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/** The authorization server and OpenID provider put together. */
final class OAuthRoutes {

  private final Authorizations authorizations;
  private final List<Route> routes;

  OAuthRoutes(
      IdpSessions sessions,
      LoginRoutes logins,
      Directories directories,
      Stores stores,
      SealingKey sealing,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    SessionStore<Authorization> granted = stores.sessions(Authorization.STORE, new AuthorizationCodec());
    this.authorizations = new Authorizations(granted, sessions, directories, audit, clock);
    Codes codes = new Codes(stores.singleUse(IssuedCode.STORE, new IssuedCodeCodec()), clock, random);
    Revocations revocations = new Revocations(stores.singleUse(Revocations.STORE, new Revocations.Codec()), clock);
    RefreshTokens refreshTokens = new RefreshTokens(sealing, random);
    this.routes = List.of();
  }

  List<Route> routes() {
    return routes;
  }

  /** What people let clients do. */
  Authorizations authorizations() {
    return authorizations;
  }
}
