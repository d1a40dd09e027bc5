package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.backchannel.ArtifactResolver;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.CancelEndpoint;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.authn.PendingRequestsFactory;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The Web Browser SSO profile. */
@Configuration(proxyBeanMethods = false)
@Import({
  ArtifactRequests.class,
  ArtifactResolver.class,
  AttributeReleasePreview.class,
  AuthnRequests.class,
  ErrorResponseRate.class,
  InitEndpoint.class,
  ResponseDelivery.class,
  ResponseIssue.class,
  SamlPendingLogin.class,
  SamlPendingSignOns.class,
  SamlReleases.class,
  SignOnAnswer.class,
  SsoEndpoint.class,
  SsoPartners.class
})
public class SsoConfig {

  @Bean
  PendingRequests<SignOn> pendingSamlSignOns(PendingRequestsFactory factory) {
    return factory.create(SamlPendingSignOns.FAMILY, new SignOnCodec());
  }

  @Bean
  RouteGroup idpSsoRoutes(
      SsoEndpoint sso, InitEndpoint init, SamlReleases releases, BrowserBinding browsers, Refusals refusals) {
    return RouteGroup.of(
        Route.message("saml/sso", sso),
        Route.get("saml/init", init),
        Route.post("saml/cancel", new CancelEndpoint(releases::cancel, browsers, refusals)));
  }
}
