package dev.gatehouse.idp.consent;

import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The consent page of all protocols, and the list of what a person allowed. */
@Configuration(proxyBeanMethods = false)
@Import({ConsentCheck.class, ConsentEndpoint.class, ConsentsEndpoint.class})
public class ConsentConfig {

  @Bean
  RouteGroup idpConsentRoutes(ConsentEndpoint consent, ConsentsEndpoint consents) {
    return RouteGroup.of(Route.form("consent", consent), Route.form("account/consents", consents));
  }
}
