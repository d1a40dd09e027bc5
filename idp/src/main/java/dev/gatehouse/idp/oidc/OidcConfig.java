package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.logout.LogoutDelivery;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.Clients;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The OpenID provider: ID tokens, logout, discovery. */
@Configuration(proxyBeanMethods = false)
@Import({
  ClientTokens.class,
  EndSessionEndpoint.class,
  EndSessionRequests.class,
  IdTokenReader.class,
  IdTokens.class,
  InitiateLoginEndpoint.class,
  JwksEndpoint.class,
  JwsSigner.class,
  JwsVerifier.class,
  OidcClients.class,
  SessionClients.class,
  SessionStates.class,
  Subjects.class
})
public class OidcConfig {

  /** Logout notices to all participants of a session, each by its own protocol. */
  @Bean(defaultCandidate = false)
  LogoutDelivery idpLogoutDelivery(
      Realms realms,
      Clients clients,
      ClientTokens tokens,
      PublicHttp http,
      @Qualifier("idpSoapLogout") LogoutDelivery serviceProviders,
      InstantSource clock,
      RandomGenerator random) {
    return new ParticipantDelivery(
        new BackChannelLogout(realms, clients, tokens, http, clock, random), serviceProviders);
  }

  @Bean
  RouteGroup oidcRoutes(
      JwksEndpoint keys,
      EndSessionEndpoint logout,
      InitiateLoginEndpoint initiation,
      OAuthReplies replies) {
    DiscoveryEndpoint discovery = new DiscoveryEndpoint();
    return RouteGroup.of(
        Route.get(DiscoveryEndpoint.PATH, discovery),
        Route.get(DiscoveryEndpoint.OAUTH_PATH, discovery),
        Route.get(JwksEndpoint.PATH, replies.guarded(keys)),
        Route.form(EndSessionEndpoint.PATH, logout),
        Route.get(CheckSessionEndpoint.PATH, new CheckSessionEndpoint()),
        Route.get(InitiateLoginEndpoint.PATH, initiation));
  }
}
