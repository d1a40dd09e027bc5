package dev.gatehouse.gateway.admin.decision;

import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.sp.session.AppSessions;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoint that explains decisions. */
@Configuration(proxyBeanMethods = false)
public class DecisionAdminConfig {

  @Bean
  DecisionEndpoint decisionEndpoint(
      Realms realms,
      ConfigurationControl control,
      ObjectProvider<AppSessions> sessions,
      ObjectProvider<Directories> directories,
      InstantSource time,
      AdminAudit audit) {
    DecisionSubjects people =
        new DecisionSubjects(realms, sessions.stream().findFirst(), directories.stream().findFirst(), time);
    return new DecisionEndpoint(realms, control, people, time, audit);
  }
}
