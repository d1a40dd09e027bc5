package dev.gatehouse.gateway.admin.route;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoints for maintenance of routes, kept responses and servers of apps. */
@Configuration(proxyBeanMethods = false)
public class RouteAdminConfig {

  @Bean
  MaintenanceEndpoint maintenanceEndpoint(
      Realms realms, ObjectProvider<AdminResource.Maintenances> maintenances, AdminAudit audit) {
    return new MaintenanceEndpoint(realms, maintenances.stream().findFirst(), audit);
  }

  @Bean
  FormerMaintenanceEndpoint formerMaintenanceEndpoint(MaintenanceEndpoint maintenance) {
    return new FormerMaintenanceEndpoint(maintenance);
  }

  @Bean
  CacheEndpoint cacheEndpoint(Realms realms, ObjectProvider<AdminResource.Responses> responses, AdminAudit audit) {
    return new CacheEndpoint(realms, responses.stream().findFirst(), audit);
  }

  @Bean
  UpstreamEndpoint upstreamEndpoint(Realms realms, ObjectProvider<AdminResource.AppServers> upstreams, AdminAudit audit) {
    return new UpstreamEndpoint(realms, upstreams.stream().findFirst(), audit);
  }
}
