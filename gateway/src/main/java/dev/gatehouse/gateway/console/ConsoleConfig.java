package dev.gatehouse.gateway.console;

import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.page.Pages;
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
  AssetFiles.class,
  ChartsPage.class,
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
  TestLoginPages.class
})
public class ConsoleConfig {

  @Bean
  ConsolePages consolePages(Pages pages) {
    return new ConsolePages(pages);
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
