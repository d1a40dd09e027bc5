package dev.gatehouse.sp.secret;

import dev.gatehouse.sp.edge.SpRoutes;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The passwords of people at apps. */
@Configuration(proxyBeanMethods = false)
@Import({AppSecrets.class, AppSecretsData.class, AppSecretsResource.class, SecretsEndpoint.class})
public class SecretConfig {

  @Bean
  SpRoutes secretRoutes(SecretsEndpoint secrets) {
    return new SpRoutes(Map.of(SecretsLocation.PATH, secrets::handle));
  }
}
