package dev.gatehouse.gateway.admin.administrator;

import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoint for the roles of people. */
@Configuration(proxyBeanMethods = false)
public class AdministratorAdminConfig {

  @Bean
  AdministratorEndpoint administratorEndpoint(
      Realms realms, AdministratorPeople people, AdministratorGrants grants, AdminAudit audit, InstantSource time) {
    return new AdministratorEndpoint(realms, people, grants, audit, time);
  }
}
