package dev.gatehouse.gateway.admin.configuration;

import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoint for the configuration. */
@Configuration(proxyBeanMethods = false)
public class ConfigurationAdminConfig {

  @Bean
  ConfigurationEndpoint configurationEndpoint(Realms realms, ConfigurationControl control, AdminAudit audit) {
    return new ConfigurationEndpoint(realms, control, audit);
  }
}
