package dev.gatehouse.gateway.admin.inspection;

import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminViews;
import dev.gatehouse.sp.inspection.Inspection;
import dev.gatehouse.sp.inspection.Replay;
import dev.gatehouse.sp.inspection.TestLogins;
import java.util.List;
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

  @Bean
  AdminViews inspectionViews() {
    return new AdminViews(
        List.of(
            TestLoginEndpoint.TestLoginView.class,
            Inspection.class,
            Inspection.Check.class,
            Inspection.Value.class,
            Inspection.Account.class,
            Inspection.Step.class,
            Replay.class));
  }
}
