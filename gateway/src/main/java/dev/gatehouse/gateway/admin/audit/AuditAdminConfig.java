package dev.gatehouse.gateway.admin.audit;

import dev.gatehouse.common.audit.ConfiguredArchive;
import dev.gatehouse.common.audit.LogVerifier;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.gateway.admin.job.Jobs;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoint for the audit log. */
@Configuration(proxyBeanMethods = false)
public class AuditAdminConfig {

  @Bean
  AuditEndpoint auditEndpoint(AuditSearch search, AdminAudit audit, InstantSource time) {
    return new AuditEndpoint(search, audit, time);
  }

  @Bean
  AuditJobEndpoint auditJobEndpoint(
      ConfiguredArchive archive, LogVerifier verifier, Jobs jobs, AdminAudit audit, InstantSource time) {
    return new AuditJobEndpoint(archive, verifier, jobs, audit, time);
  }
}
