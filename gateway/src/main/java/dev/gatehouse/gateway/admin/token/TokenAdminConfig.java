package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.PeopleDesk;
import dev.gatehouse.common.admin.PersonRecords;
import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.admin.TokenImport;
import dev.gatehouse.common.admin.TrustDesk;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.job.Jobs;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import dev.gatehouse.gateway.admin.web.RightsWatch;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoints for tokens. */
@Configuration(proxyBeanMethods = false)
public class TokenAdminConfig {

  @Bean
  TokenAccess tokenAccess(
      Realms realms, ObjectProvider<TokenDesk> desk, PersonRecords records, AdministratorPeople people, RightsWatch watch) {
    return new TokenAccess(realms, desk.stream().findFirst(), records, people, watch);
  }

  @Bean
  TokenReports tokenReports(InstantSource clock) {
    return new TokenReports(clock);
  }

  @Bean
  TokenEndpoint tokenEndpoint(TokenAccess access, TokenReports reports, AdminAudit audit) {
    return new TokenEndpoint(access, reports, audit);
  }

  @Bean
  TokenHolderEndpoint tokenHolderEndpoint(TokenAccess access, AdminAudit audit, InstantSource clock) {
    return new TokenHolderEndpoint(access, audit, clock);
  }

  @Bean
  TokenImportEndpoint tokenImportEndpoint(TokenAccess access, ObjectProvider<TokenImport> imports, Jobs jobs, AdminAudit audit) {
    return new TokenImportEndpoint(access, imports.stream().findFirst(), jobs, audit);
  }

  @Bean
  TokenChangesEndpoint tokenChangesEndpoint(TokenAccess access, Jobs jobs, AdminAudit audit) {
    return new TokenChangesEndpoint(access, jobs, audit);
  }

  @Bean
  PeopleEndpoint tokenPeopleEndpoint(
      TokenAccess access, ObjectProvider<PeopleDesk> desk, TokenReports reports, Jobs jobs, AdminAudit audit) {
    return new PeopleEndpoint(access, desk.stream().findFirst(), reports, jobs, audit);
  }

  @Bean
  TokenReportEndpoint tokenReportEndpoint(
      TokenAccess access, AuditSearch search, TokenReports reports, AdminAudit audit, InstantSource clock) {
    return new TokenReportEndpoint(access, new FailedPasscodes(search), reports, audit, clock);
  }

  @Bean
  TokenFieldsEndpoint tokenFieldsEndpoint(TokenAccess access, AdminAudit audit, InstantSource clock) {
    return new TokenFieldsEndpoint(access, audit, clock);
  }

  @Bean
  TrustEndpoint trustEndpoint(Realms realms, ObjectProvider<TrustDesk> desk, AdminAudit audit) {
    return new TrustEndpoint(realms, desk.stream().findFirst(), audit);
  }
}
