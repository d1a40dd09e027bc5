package dev.gatehouse.gateway.admin.inspection;

import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.sp.inspection.TestLogins;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoints for test logins. */
@Configuration(proxyBeanMethods = false)
public class InspectionAdminConfig {

  @Bean
  TestLoginEndpoint testLoginEndpoint(Realms realms, ObjectProvider<TestLogins> logins, AdminAudit audit) {
    return new TestLoginEndpoint(realms, logins.stream().findFirst(), audit);
  }
}
