package dev.gatehouse.idp;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.authn.PendingRequestsFactory;
import dev.gatehouse.idp.authn.PendingSignOns;
import dev.gatehouse.idp.consent.PendingReleases;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.AuthorizationCodec;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.PendingQuota;
import dev.gatehouse.idp.oauth.authorize.AuthorizeConfig;
import dev.gatehouse.idp.oauth.client.ClientServices;
import dev.gatehouse.idp.oauth.device.DeviceConfig;
import dev.gatehouse.idp.oauth.proof.DpopProofs;
import dev.gatehouse.idp.oauth.proof.RequestObjects;
import dev.gatehouse.idp.oauth.registration.InitialAccessTokens;
import dev.gatehouse.idp.oauth.registration.RegistrationEndpoint;
import dev.gatehouse.idp.oauth.registration.Registrations;
import dev.gatehouse.idp.oauth.token.AccessTokenCodec;
import dev.gatehouse.idp.oauth.token.AccessTokens;
import dev.gatehouse.idp.oauth.token.Authorizations;
import dev.gatehouse.idp.oauth.token.Codes;
import dev.gatehouse.idp.oauth.token.IssuedCode;
import dev.gatehouse.idp.oauth.token.IssuedCodeCodec;
import dev.gatehouse.idp.oauth.token.PresentedTokens;
import dev.gatehouse.idp.oauth.token.RefreshTokens;
import dev.gatehouse.idp.oauth.token.Revocations;
import dev.gatehouse.idp.oauth.token.TokenConfig;
import dev.gatehouse.idp.oidc.ClientTokens;
import dev.gatehouse.idp.oidc.IdTokenReader;
import dev.gatehouse.idp.oidc.IdTokens;
import dev.gatehouse.idp.oidc.JwsSigner;
import dev.gatehouse.idp.oidc.JwsVerifier;
import dev.gatehouse.idp.oidc.OidcConfig;
import dev.gatehouse.idp.oidc.SessionClients;
import dev.gatehouse.idp.oidc.SessionStates;
import dev.gatehouse.idp.oidc.Subjects;
import dev.gatehouse.idp.saml.slo.Logouts;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Assembles the authorization server and the OpenID provider. */
final class OAuthRoutes {

  private final ClientServices clients;
  private final DpopProofs proofs;
  private final TokenConfig.Tokens tokens;
  private final IdTokens idTokens;
  private final IdpSessions sessions;
  private final OAuthReplies replies;
  private final AuditLog audit;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final PendingSignOns signOns;
  private final AuthorizeConfig.Assembled authorize;
  private final DeviceConfig device;
  private final List<Route> deviceRoutes;
  private final List<Route> openId;
  private final Route registration;

  OAuthRoutes(
      KeyRings keys,
      ClientServices clients,
      Registrations registrations,
      InitialAccessTokens initialAccess,
      ClientTokens clientTokens,
      IdpSessions sessions,
      Logouts logouts,
      PendingRequestsFactory pendingFactory,
      Directories directories,
      Stores stores,
      ReplayCache replay,
      GuessThrottle throttle,
      Consents consents,
      SealingKey sealing,
      Pages pages,
      Refusals refusals,
      RefusalLog refusalLog,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    this.clients = clients;
    this.proofs = new DpopProofs(replay, sealing, clock);
    this.sessions = sessions;
    this.replies = new OAuthReplies(refusalLog);
    this.audit = audit;
    this.clock = clock;
    this.random = random;
    Subjects subjects = new Subjects(sealing);
    JwsVerifier verifier = new JwsVerifier(keys);
    IdTokenReader hints = new IdTokenReader(verifier, keys);
    Authorizations authorizations =
        new Authorizations(
            stores.sessions(Authorization.STORE, new AuthorizationCodec()), sessions, directories, audit, clock);
    Revocations revocations = new Revocations(
            stores.ends().singleUse(Revocations.STORE, new Revocations.Codec()), stores.tokensNotBefore(), clock);
    AccessTokens accessTokens =
        new AccessTokens(
            stores.singleUse(AccessTokens.STORE, new AccessTokenCodec()),
            revocations,
            authorizations,
            clients.clients(),
            subjects,
            new JwsSigner(keys),
            verifier,
            clock,
            random);
    this.tokens =
        new TokenConfig.Tokens(
            new Codes(stores.singleUse(IssuedCode.STORE, new IssuedCodeCodec()), clock, random),
            authorizations,
            accessTokens,
            new RefreshTokens(sealing, random),
            revocations,
            new PresentedTokens(accessTokens, proofs));
    this.idTokens = new IdTokens(clientTokens, subjects, new SessionClients(sessions, clock, random), clock);
    AuthorizeConfig waiting =
        new AuthorizeConfig(stores, pendingFactory, new PendingQuota(clock), sessions, clients);
    this.device = new DeviceConfig(stores, pendingFactory, new PendingQuota(clock), clients.clients());
    this.signOns = waiting.signOns().or(device.signOns());
    this.authorize =
        waiting.assemble(
            clients.authentications(),
            new RequestObjects(clients.signatures(), clients.http(), clock),
            proofs,
            hints::subject,
            tokens.codes(),
            authorizations,
            accessTokens,
            idTokens,
            subjects,
            new SessionStates(random),
            consents,
            pages,
            replies,
            audit);
    this.deviceRoutes =
        device.routes(
            sessions, clients.authentications(), replies, throttle, pages, refusals, audit, clock, random);
    this.openId =
        OidcConfig.routes(
            keys, tokens.shown(), authorizations, clients.clients(), clientTokens, subjects, hints, sessions, logouts,
            sealing, pages, refusals, replies, clock, random);
    this.registration =
        new Route(
            RegistrationEndpoint.PATH,
            Set.of("GET", "POST", "PUT", "DELETE"),
            Route.FORM_BYTES,
            replies.guarded(
                new RegistrationEndpoint(
                    registrations, initialAccess, clients, sealing, replies, audit, clock, random)));
  }

  /** The requests that wait for a login. */
  PendingSignOns signOns() {
    return signOns;
  }

  /** The releases that wait for consent. */
  PendingReleases releases() {
    return authorize.releases();
  }

  /** The authorizations that people gave to clients. */
  Authorizations authorizations() {
    return tokens.authorizations();
  }

  /** @param logins for clients that ask people for their passwords themselves */
  List<Route> routes(LoginRoutes logins) {
    List<Route> all = new ArrayList<>(authorize.routes());
    all.addAll(deviceRoutes);
    all.addAll(openId);
    all.add(registration);
    all.addAll(
        TokenConfig.routes(
            clients.authentications(),
            proofs,
            tokens,
            idTokens,
            sessions,
            logins.passwords(),
            logins.steps(),
            device.codes(),
            replies,
            audit,
            clock,
            random));
    return all;
  }
}
