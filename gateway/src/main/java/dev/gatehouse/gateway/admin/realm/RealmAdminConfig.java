package dev.gatehouse.gateway.admin.realm;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminViews;
import java.util.List;
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

  @Bean
  AdminViews realmViews() {
    return new AdminViews(
        List.of(
            RealmEndpoint.RealmView.class,
            RealmEndpoint.RealmList.class,
            RealmEndpoint.PartnerPage.class,
            RealmEndpoint.RouteView.class,
            RealmEndpoint.RoutePage.class,
            PartnerView.class,
            PartnerView.Certificate.class,
            RegisteredClientEndpoint.ClientPage.class,
            AdminResource.ClientView.class));
  }
}
