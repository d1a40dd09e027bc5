package dev.gatehouse.gateway.admin.health;

import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.admin.route.UpstreamEndpoint;
import dev.gatehouse.sp.provider.OpenIdProviders;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoint for health. */
@Configuration(proxyBeanMethods = false)
public class HealthAdminConfig {

  @Bean
  HealthReportEndpoint healthReportEndpoint(
      HealthEndpoint health,
      Realms realms,
      ObjectProvider<Directories> directories,
      PartnerRegistry partners,
      ObjectProvider<OpenIdProviders> providers,
      UpstreamEndpoint upstreams) {
    return new HealthReportEndpoint(
        health,
        new Dependencies(health, realms, directories.stream().findFirst(), partners, providers.stream().findFirst(), upstreams));
  }
}
