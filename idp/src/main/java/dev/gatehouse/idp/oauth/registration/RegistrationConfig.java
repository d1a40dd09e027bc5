package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.key.NamedKeys;
import dev.gatehouse.common.key.RegistrationKeys;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.oauth.OAuthReplies;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Registration of clients at run time. */
@Configuration(proxyBeanMethods = false)
@Import({RegistrationAccess.class, RegistrationEndpoint.class, Registrations.class, SectorCheck.class})
public class RegistrationConfig {

  @Bean
  InitialAccessTokens initialAccessTokens(RegistrationKeys keys) {
    return token -> keys.verify(token).map(NamedKeys.NamedKey::name);
  }

  @Bean
  RouteGroup registrationRoutes(RegistrationEndpoint endpoint, OAuthReplies replies) {
    return RouteGroup.of(
        new Route(
            RegistrationEndpoint.PATH,
            Set.of("GET", "POST", "PUT", "DELETE"),
            Route.FORM_BYTES,
            replies.guarded(endpoint)));
  }
}
