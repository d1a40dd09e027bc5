package dev.gatehouse.sp.link;

import dev.gatehouse.sp.edge.SpRoutes;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The accounts of people, and their links to names at identity providers. */
@Configuration(proxyBeanMethods = false)
@Import({AccountEndpoint.class, AccountRules.class, Linker.class, LocalLogin.class})
public class LinkConfig {

  @Bean
  SpRoutes accountRoutes(AccountEndpoint account) {
    return new SpRoutes(Map.of(AccountEndpoint.PATH, account::handle));
  }
}
