package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.store.Stores;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.CancelEndpoint;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.authn.PendingRequestsFactory;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.oauth.client.Cors;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.PendingQuota;
import dev.gatehouse.idp.oauth.proof.RequestObjects;
import dev.gatehouse.idp.oidc.IdTokenReader;
import java.time.InstantSource;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The authorization endpoint. */
@Configuration(proxyBeanMethods = false)
@Import({
  AuthorizationAnswer.class,
  AuthorizationIssue.class,
  AuthorizationPendingLogin.class,
  AuthorizationReply.class,
  AuthorizationRequests.class,
  AuthorizeEndpoint.class,
  ClaimReleasePreview.class,
  ClientConsents.class,
  ClientGrants.class,
  IncomingRequests.class,
  LogoEndpoint.class,
  OAuthReleases.class,
  OAuthReplies.class,
  PendingAuthorizations.class,
  PushedEndpoint.class,
  RequestObjects.class
})
public class AuthorizeConfig {

  static final String PATH = "oauth/authorize";
  static final String PUSHED = "oauth/par";
  static final String CANCEL = "oauth/cancel";

  @Bean
  IdTokenHints idTokenHints(IdTokenReader reader) {
    return reader::subject;
  }

  @Bean
  PendingRequests<AuthorizationRequest> pendingAuthorizationRequests(PendingRequestsFactory factory) {
    return factory.create(PendingAuthorizations.FAMILY, new AuthorizationRequestCodec());
  }

  @Bean
  PushedRequests pushedRequests(Stores stores, InstantSource clock, RandomGenerator random) {
    return new PushedRequests(stores, new PendingQuota(stores, "oauth-pushed", clock), clock, random);
  }

  @Bean
  RouteGroup authorizeRoutes(
      AuthorizeEndpoint authorize,
      PushedEndpoint pushed,
      LogoEndpoint logo,
      OAuthReleases releases,
      OAuthReplies replies,
      BrowserBinding browsers,
      Refusals refusals) {
    return RouteGroup.of(
        Route.form(PATH, authorize),
        new Route(
            PUSHED, Set.of("POST", "OPTIONS"), Route.FORM_BYTES, Cors.preflighted(replies.guarded(pushed))),
        Route.get(LogoEndpoint.PATH, logo),
        Route.post(CANCEL, new CancelEndpoint(releases::cancel, browsers, refusals)));
  }
}
