package dev.gatehouse.gateway.console;

import dev.gatehouse.common.analytics.collect.Analytics;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.gateway.admin.analytics.AnalyticsEndpoint;
import dev.gatehouse.gateway.admin.audit.AuditEndpoint;
import dev.gatehouse.gateway.admin.route.UpstreamEndpoint;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyCheck;
import dev.gatehouse.gateway.admin.web.AdminSessions;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import dev.gatehouse.gateway.console.overview.NodeCertificates;
import dev.gatehouse.gateway.console.overview.OverviewRates;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the console. */
@Configuration(proxyBeanMethods = false)
@Import({
  AppWizard.class,
  AuditPages.class,
  ChartsPage.class,
  ConnectPage.class,
  ConsoleAssets.class,
  ConsoleErrors.class,
  JobPages.class,
  KeyPages.class,
  OverviewPage.class,
  PartnerPages.class,
  PeoplePages.class,
  PersonDataPages.class,
  RealmPages.class,
  RequestPage.class,
  RevisionPages.class,
  RoutePage.class,
  TestLoginPages.class,
  ThemePage.class
})
public class ConsoleConfig {

  @Bean
  ConsolePages consolePages(Pages pages, AdministratorPeople people) {
    return new ConsolePages(pages, people.login().isPresent());
  }

  @Bean
  PendingLogins pendingLogins(SealingKey sealing, InstantSource time, RandomGenerator random) {
    return new PendingLogins(sealing, time, random);
  }

  @Bean
  FirstAdministrator firstAdministrator(AdministratorGrants grants, AdminAudit audit, InstantSource time) {
    return new FirstAdministrator(grants, audit, time);
  }

  @Bean
  PersonLoginEndpoint personLoginEndpoint(
      AdministratorPeople people,
      PendingLogins pendings,
      AdminSessions sessions,
      FirstAdministrator first,
      AdminAudit audit,
      RefusalLog refusals,
      ConsolePages pages,
      InstantSource time) {
    return new PersonLoginEndpoint(people, pendings, sessions, first, audit, refusals, pages, time);
  }

  @Bean
  SetUpEndpoint setUpEndpoint(
      AdministratorPeople people, FirstAdministrator first, PendingLogins pendings, AdminKeyCheck guesses, ConsolePages pages) {
    return new SetUpEndpoint(people, first, pendings, guesses, pages);
  }

  @Bean
  AppEntries appEntries(MetadataCodec codec, InstantSource time) {
    return new AppEntries(codec, time);
  }

  @Bean
  AppSnippets appSnippets(PartnerRegistry partners, Node node) {
    return new AppSnippets(partners, node);
  }

  @Bean
  PartnerAttention partnerAttention(PartnerRegistry partners, InstantSource time) {
    return new PartnerAttention(partners, time);
  }

  @Bean
  RecentRefusals recentRefusals(Realms realms, PartnerRegistry partners, AuditEndpoint audit, InstantSource time) {
    return new RecentRefusals(realms, partners, audit, time);
  }

  @Bean
  OverviewPage.Attention attention(
      PartnerAttention partners, Node node, UpstreamEndpoint upstreams, RecentRefusals refusals, AnalyticsEndpoint analytics,
      InstantSource time) {
    return new OverviewPage.Attention(partners, new NodeCertificates(node, time), upstreams, refusals, analytics);
  }

  @Bean
  OverviewRates overviewRates(Analytics analytics, InstantSource time) {
    return new OverviewRates(analytics, time);
  }

  @Bean
  FilterRegistrationBean<ConsoleFilter> consoleFilter(
      AdminKeyCheck keys,
      AdminSessions sessions,
      AdministratorPeople people,
      PersonLoginEndpoint personLogin,
      SetUpEndpoint setUp,
      AdminAudit audit,
      ConsolePages pages) {
    ConsoleLogin login = new ConsoleLogin(keys, sessions, people, audit, pages);
    var registration = new FilterRegistrationBean<>(new ConsoleFilter(sessions, login, personLogin, setUp, pages));
    registration.addUrlPatterns("/console/*");
    return registration;
  }
}
