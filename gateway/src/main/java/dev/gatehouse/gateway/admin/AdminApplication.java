package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.http.TlsPolicy;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.sp.session.AppSessions;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.random.RandomGenerator;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusScrapeEndpoint;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.actuate.web.WebMvcEndpointManagementContextConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertiesPropertySource;
import org.springframework.web.context.support.StandardServletEnvironment;

/** The admin listener as a separate servlet context. All its parts are listed here; there is no component scan. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
  JacksonAutoConfiguration.class,
  HttpMessageConvertersAutoConfiguration.class,
  DispatcherServletAutoConfiguration.class,
  WebMvcAutoConfiguration.class,
  ApplicationAvailabilityAutoConfiguration.class,
  EndpointAutoConfiguration.class,
  JacksonEndpointAutoConfiguration.class,
  WebEndpointAutoConfiguration.class,
  HealthContributorRegistryAutoConfiguration.class,
  HealthContributorAutoConfiguration.class,
  AvailabilityProbesAutoConfiguration.class,
  HealthEndpointAutoConfiguration.class,
  WebMvcEndpointManagementContextConfiguration.class
})
@Import(AdminDescription.class)
public class AdminApplication {

  /** All of Spring's settings; the environment and Spring's own files are not read. */
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("management.endpoints.web.exposure.include", "health,prometheus"),
          Map.entry("management.endpoints.web.discovery.enabled", "false"),
          Map.entry("management.endpoint.health.probes.enabled", "true"),
          Map.entry("management.endpoint.health.show-components", "always"),
          Map.entry("management.endpoint.health.show-details", "never"),
          Map.entry("management.endpoint.health.group.readiness.include", "readinessState,listeners,ownParts,stores,database,auditLog"),
          Map.entry("spring.web.resources.add-mappings", "false"),
          Map.entry("spring.mvc.formcontent.filter.enabled", "false"),
          Map.entry("spring.jackson.default-property-inclusion", "non_absent"),
          Map.entry("springdoc.api-docs.path", AdminKeyFilter.DESCRIPTION),
          Map.entry("springdoc.paths-to-match", "/admin/v1/**"),
          Map.entry("springdoc.writer-with-order-by-keys", "true"),
          Map.entry("springdoc.writer-with-default-pretty-printer", "true"),
          Map.entry("springdoc.default-produces-media-type", "application/json"));

  /**
   * Starts the listener in a context below the node's, which stops it when it is closed. It is alive then, but not
   * ready yet.
   *
   * @param bound limits the connections
   */
  public static AnnotationConfigServletWebServerApplicationContext start(
      ApplicationContext parent, JettyServerCustomizer bound) {
    var context = new AnnotationConfigServletWebServerApplicationContext();
    context.setDisplayName("admin");
    context.setEnvironment(environment());
    context.setParent(parent);
    context.register(AdminApplication.class);
    context.registerBean(JettyServerCustomizer.class, () -> bound);
    context.refresh();
    AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
    return context;
  }

  private static ConfigurableEnvironment environment() {
    Properties settings = new Properties();
    settings.putAll(SETTINGS);
    return new StandardServletEnvironment() {
      @Override
      protected void customizePropertySources(MutablePropertySources sources) {
        sources.addFirst(new PropertiesPropertySource("admin", settings));
      }
    };
  }

  @Bean
  JettyServletWebServerFactory webServer(Node node, JettyServerCustomizer bound) {
    Node.Listener listener = node.listeners().admin();
    JettyServletWebServerFactory factory = new JettyServletWebServerFactory(listener.address().getPort());
    factory.setAddress(listener.address().getAddress());
    factory.setThreadPool(new VirtualThreadPool());
    factory.setShutdown(Shutdown.GRACEFUL);
    factory.setRegisterDefaultServlet(false);
    factory.addServerCustomizers(
        server -> {
          AdminErrors errors = new AdminErrors();
          server.setErrorHandler(errors);
          server.getDescendants(ContextHandler.class).forEach(context -> context.setErrorHandler(errors));
          bound.customize(server);
        });
    listener
        .tls()
        .ifPresent(
            tls -> {
              Ssl ssl = new Ssl();
              ssl.setCertificate(tls.certificate().toUri().toString());
              ssl.setCertificatePrivateKey(tls.privateKey().toUri().toString());
              ssl.setEnabledProtocols(TlsPolicy.PROTOCOLS.toArray(String[]::new));
              ssl.setCiphers(TlsPolicy.CIPHER_SUITES.toArray(String[]::new));
              factory.setSsl(ssl);
            });
    return factory;
  }

  @Bean
  FilterRegistrationBean<AdminEdgeFilter> adminEdgeFilter(Node node, RandomGenerator random) {
    AdminHosts hosts = new AdminHosts(node.listeners().admin());
    var registration = new FilterRegistrationBean<>(new AdminEdgeFilter(hosts, random));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    registration.addUrlPatterns("/*");
    return registration;
  }

  @Bean
  FilterRegistrationBean<AdminKeyFilter> adminKeyFilter(
      AdministratorKeys keys, GuessThrottle throttle, RefusalLog refusals) {
    var registration = new FilterRegistrationBean<>(new AdminKeyFilter(keys, throttle, refusals));
    registration.addUrlPatterns("/admin/*");
    return registration;
  }

  @Bean
  PrometheusScrapeEndpoint prometheus(PrometheusMeterRegistry registry) {
    return new PrometheusScrapeEndpoint(registry.getPrometheusRegistry(), new Properties());
  }

  @Bean
  AdminAudit adminAudit(AuditLog log) {
    return new AdminAudit(log);
  }

  @Bean
  RealmEndpoint realmEndpoint(Realms realms, PartnerRegistry partners) {
    return new RealmEndpoint(realms, partners);
  }

  @Bean
  SessionEndpoint sessionEndpoint(
      Realms realms, ObjectProvider<AdminResource.Sessions> sessions, AdminAudit audit) {
    return new SessionEndpoint(realms, List.copyOf(sessions.stream().toList()), audit);
  }

  @Bean
  PendingLogoutEndpoint pendingLogoutEndpoint(Realms realms, ObjectProvider<AdminResource.Logouts> logouts) {
    return new PendingLogoutEndpoint(realms, logouts.stream().toList());
  }

  @Bean
  MaintenanceEndpoint maintenanceEndpoint(
      Realms realms, ObjectProvider<AdminResource.Maintenances> maintenances, AdminAudit audit) {
    return new MaintenanceEndpoint(realms, maintenances.stream().findFirst(), audit);
  }

  @Bean
  SecondFactorEndpoint secondFactorEndpoint(
      Realms realms, ObjectProvider<AdminResource.SecondFactorAdmin> factors, AdminAudit audit) {
    return new SecondFactorEndpoint(realms, factors.stream().findFirst(), audit);
  }

  @Bean
  AppSecretEndpoint appSecretEndpoint(
      Realms realms, ObjectProvider<AdminResource.StoredSecrets> secrets, AdminAudit audit) {
    return new AppSecretEndpoint(realms, secrets.stream().findFirst(), audit);
  }

  @Bean
  RegisteredClientEndpoint registeredClientEndpoint(
      Realms realms, ObjectProvider<AdminResource.RegisteredClients> clients, AdminAudit audit) {
    return new RegisteredClientEndpoint(realms, clients.stream().findFirst(), audit);
  }

  @Bean
  FederationEndpoint federationEndpoint(
      Realms realms, ObjectProvider<AdminResource.Federations> federations, AdminAudit audit) {
    return new FederationEndpoint(realms, List.copyOf(federations.stream().toList()), audit);
  }

  @Bean
  CacheEndpoint cacheEndpoint(Realms realms, ObjectProvider<AdminResource.Responses> responses, AdminAudit audit) {
    return new CacheEndpoint(realms, responses.stream().findFirst(), audit);
  }

  @Bean
  UpstreamEndpoint upstreamEndpoint(ObjectProvider<AdminResource.AppServers> upstreams, AdminAudit audit) {
    return new UpstreamEndpoint(upstreams.stream().findFirst(), audit);
  }

  @Bean
  ConfigurationEndpoint configurationEndpoint(Realms realms, ConfigurationControl control, AdminAudit audit) {
    return new ConfigurationEndpoint(realms, control, audit);
  }

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

  @Bean
  AdminProblems adminProblems(RandomGenerator random) {
    return new AdminProblems(random);
  }
}
