package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.gateway.admin.audit.AuditEndpoint;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyCheck;
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
  ConnectPage.class,
  ConsoleAssets.class,
  ConsoleErrors.class,
  OverviewPage.class,
  PeoplePages.class,
  RealmPages.class,
  RevisionPages.class,
  RoutePage.class,
  ThemePage.class
})
public class ConsoleConfig {

  @Bean
  ConsolePages consolePages(Pages pages) {
    return new ConsolePages(pages);
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
  ConsoleSessions consoleSessions(AdministratorKeys keys, InstantSource time, RandomGenerator random) {
    return new ConsoleSessions(keys, time, random);
  }

  @Bean
  FilterRegistrationBean<ConsoleFilter> consoleFilter(
      AdminKeyCheck keys, ConsoleSessions sessions, AdminAudit audit, ConsolePages pages) {
    ConsoleLogin login = new ConsoleLogin(keys, sessions, audit, pages);
    var registration = new FilterRegistrationBean<>(new ConsoleFilter(sessions, login, pages));
    registration.addUrlPatterns("/console/*");
    return registration;
  }
}
