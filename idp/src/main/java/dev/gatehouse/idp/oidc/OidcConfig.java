package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.idp.authn.IdpSessions;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.oauth.Cors;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.oauth.token.Authorizations;
import dev.gatehouse.idp.oauth.token.PresentedTokens;
import dev.gatehouse.idp.saml.slo.Logouts;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Assembles the endpoints of this package. */
public final class OidcConfig {

  private OidcConfig() {}

  /**
   * The routes of discovery, {@code oauth/jwks}, {@code oauth/userinfo}, {@code oauth/logout} and
   * {@code oauth/check_session}.
   */
  public static List<Route> routes(
      KeyRings keys,
      PresentedTokens tokens,
      Authorizations authorizations,
      Clients clients,
      ClientTokens clientTokens,
      Subjects subjects,
      IdTokenReader hints,
      IdpSessions sessions,
      Logouts logouts,
      SealingKey sealing,
      Pages pages,
      Refusals refusals,
      OAuthReplies replies,
      InstantSource clock,
      RandomGenerator random) {
    DiscoveryEndpoint discovery = new DiscoveryEndpoint();
    return List.of(
        Route.get(DiscoveryEndpoint.PATH, discovery),
        Route.get(DiscoveryEndpoint.OAUTH_PATH, discovery),
        Route.get(JwksEndpoint.PATH, replies.guarded(new JwksEndpoint(keys))),
        new Route(
            UserInfoEndpoint.PATH,
            Set.of("GET", "POST", "OPTIONS"),
            Route.FORM_BYTES,
            Cors.preflighted(
                replies.guarded(new UserInfoEndpoint(tokens, authorizations, clients, clientTokens, replies)))),
        Route.form(
            EndSessionEndpoint.PATH,
            new EndSessionEndpoint(
                new EndSessionRequests(hints, clients, sealing, clock, random),
                sessions,
                clients,
                subjects,
                logouts,
                pages,
                refusals)),
        Route.get(CheckSessionEndpoint.PATH, new CheckSessionEndpoint()),
        Route.get(InitiateLoginEndpoint.PATH, new InitiateLoginEndpoint(clients, refusals)));
  }
}
