package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.wiring.IndexedBeanFactory;
import dev.gatehouse.gateway.admin.analytics.AnalyticsAdminConfig;
import dev.gatehouse.gateway.admin.administrator.AdministratorAdminConfig;
import dev.gatehouse.gateway.admin.audit.AuditAdminConfig;
import dev.gatehouse.gateway.admin.configuration.ConfigurationAdminConfig;
import dev.gatehouse.gateway.admin.decision.DecisionAdminConfig;
import dev.gatehouse.gateway.admin.inspection.InspectionAdminConfig;
import dev.gatehouse.gateway.admin.log.LogAdminConfig;
import dev.gatehouse.gateway.admin.health.HealthAdminConfig;
import dev.gatehouse.gateway.admin.job.JobAdminConfig;
import dev.gatehouse.gateway.admin.node.NodeAdminConfig;
import dev.gatehouse.gateway.admin.partner.PartnerAdminConfig;
import dev.gatehouse.gateway.admin.key.KeyAdminConfig;
import dev.gatehouse.gateway.admin.person.PersonAdminConfig;
import dev.gatehouse.gateway.admin.realm.RealmAdminConfig;
import dev.gatehouse.gateway.admin.request.RequestAdminConfig;
import dev.gatehouse.gateway.admin.revision.RevisionAdminConfig;
import dev.gatehouse.gateway.admin.route.RouteAdminConfig;
import dev.gatehouse.gateway.admin.theme.ThemeAdminConfig;
import dev.gatehouse.gateway.admin.token.TokenAdminConfig;
import dev.gatehouse.gateway.admin.web.AdminWebConfig;
import dev.gatehouse.gateway.console.ConsoleConfig;
import dev.gatehouse.gateway.console.administrator.AdministratorPagesConfig;
import dev.gatehouse.gateway.console.node.NodePagesConfig;
import dev.gatehouse.gateway.console.person.PersonPagesConfig;
import dev.gatehouse.gateway.console.realm.EntryPagesConfig;
import dev.gatehouse.gateway.console.route.RoutePagesConfig;
import dev.gatehouse.gateway.console.release.ReleasePageConfig;
import dev.gatehouse.gateway.console.token.TokenPagesConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.Properties;
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
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusScrapeEndpoint;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.actuate.web.WebMvcEndpointManagementContextConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertiesPropertySource;
import org.springframework.web.context.support.StandardServletEnvironment;

/** The admin listener as a separate servlet context. Its parts are imported here; there is no component scan. */
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
@Import({
  DescriptionEndpoint.class,
  AdministratorAdminConfig.class,
  AdminWebConfig.class,
  AnalyticsAdminConfig.class,
  AuditAdminConfig.class,
  ConfigurationAdminConfig.class,
  ConsoleConfig.class,
  DecisionAdminConfig.class,
  InspectionAdminConfig.class,
  LogAdminConfig.class,
  HealthAdminConfig.class,
  JobAdminConfig.class,
  NodeAdminConfig.class,
  NodePagesConfig.class,
  PartnerAdminConfig.class,
  KeyAdminConfig.class,
  PersonAdminConfig.class,
  RealmAdminConfig.class,
  RequestAdminConfig.class,
  ReleasePageConfig.class,
  RevisionAdminConfig.class,
  RouteAdminConfig.class,
  AdministratorPagesConfig.class,
  EntryPagesConfig.class,
  PersonPagesConfig.class,
  RoutePagesConfig.class,
  ThemeAdminConfig.class,
  TokenAdminConfig.class,
  TokenPagesConfig.class
})
public class AdminApplication {

  /** All of Spring's settings; the environment and Spring's own files are not read. */
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("management.endpoints.web.exposure.include", "health,prometheus"),
          Map.entry("management.endpoints.web.discovery.enabled", "false"),
          Map.entry("management.endpoint.health.probes.enabled", "true"),
          Map.entry("management.endpoint.health.show-components", "always"),
          Map.entry("management.endpoint.health.show-details", "never"),
          Map.entry(
              "management.endpoint.health.group.readiness.include",
              "readinessState,drain,listeners,ownParts,stores,database,auditLog"),
          // A store that all nodes share is away: see ActuatorReport.
          Map.entry("management.endpoint.health.status.order", "down,out-of-service,away,up,unknown"),
          Map.entry("management.endpoint.health.status.http-mapping.down", "503"),
          Map.entry("management.endpoint.health.status.http-mapping.out-of-service", "503"),
          Map.entry("management.endpoint.health.status.http-mapping.away", "503"),
          Map.entry("spring.web.resources.add-mappings", "false"),
          Map.entry("spring.mvc.formcontent.filter.enabled", "false"),
          Map.entry("spring.mvc.dispatch-trace-request", "true"),
          Map.entry("spring.jackson.default-property-inclusion", "non_absent"),
          Map.entry("spring.jackson.deserialization.fail-on-unknown-properties", "true"),
          Map.entry("spring.jackson.mapper.allow-coercion-of-scalars", "false"));

  /**
   * Starts the listener in a context below the node's, which stops it when it is closed. It is alive then, but not
   * ready yet.
   *
   * @param bound limits the connections
   */
  public static AnnotationConfigServletWebServerApplicationContext start(
      ApplicationContext parent, JettyServerCustomizer bound) {
    return start(parent, bound, AdminApplication.class);
  }

  /** Starts the listener with these parts; tests add some. */
  static AnnotationConfigServletWebServerApplicationContext start(
      ApplicationContext parent, JettyServerCustomizer bound, Class<?>... parts) {
    // As the node's context has: this one has as many beans.
    var context = new AnnotationConfigServletWebServerApplicationContext(new IndexedBeanFactory());
    context.setDisplayName("admin");
    context.setEnvironment(environment());
    context.setParent(parent);
    context.register(parts);
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
  PrometheusScrapeEndpoint prometheus(PrometheusMeterRegistry registry) {
    return new PrometheusScrapeEndpoint(registry.getPrometheusRegistry(), new Properties());
  }
}
