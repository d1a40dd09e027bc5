package dev.gatehouse.gateway.admin.realm;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoints for realms, their partners and their clients. */
@Configuration(proxyBeanMethods = false)
public class RealmAdminConfig {

  @Bean
  RealmEndpoint realmEndpoint(Realms realms, PartnerRegistry partners) {
    return new RealmEndpoint(realms, partners);
  }

  @Bean
  RegisteredClientEndpoint registeredClientEndpoint(
      Realms realms, ObjectProvider<AdminResource.RegisteredClients> clients, AdminAudit audit) {
    return new RegisteredClientEndpoint(realms, clients.stream().findFirst(), audit);
  }
}
