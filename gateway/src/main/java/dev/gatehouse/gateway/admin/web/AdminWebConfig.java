package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.admin.PersonLogins;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.http.TlsPolicy;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.GuessThrottle;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/** Makes the web server of the admin listener and what all endpoints share. */
@Configuration(proxyBeanMethods = false)
public class AdminWebConfig {

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
    AdminHosts hosts = new AdminHosts(node.listeners().admin(), node.listeners().adminLogin());
    var registration = new FilterRegistrationBean<>(new AdminEdgeFilter(hosts, random));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    registration.addUrlPatterns("/*");
    return registration;
  }

  /**
   * Requests are read as the OpenAPI document says: a number or a truth value is no text, and a number is no time. A member is there once:
   * who looked at the first of two would see another change than the one that is made.
   */
  @Bean
  JsonMapperBuilderCustomizer strictValues() {
    return json ->
        json.addModule(new SimpleModule().addDeserializer(Instant.class, new InstantText()))
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .withCoercionConfig(
                LogicalType.Textual,
                texts ->
                    Stream.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)
                        .forEach(shape -> texts.setCoercion(shape, CoercionAction.Fail)));
  }

  @Bean
  AdminKeyCheck adminKeyCheck(AdministratorKeys keys, GuessThrottle throttle, RefusalLog refusals) {
    return new AdminKeyCheck(keys, throttle, refusals);
  }

  @Bean
  AdministratorPeople administratorPeople(
      Node node, ObjectProvider<PersonLogins> logins, AdministratorGrants grants, InstantSource time) {
    return new AdministratorPeople(node.listeners().adminLogin(), logins.stream().findFirst(), grants, time);
  }

  @Bean
  RightsWatch rightsWatch(AdministratorKeys keys, AdministratorPeople people, InstantSource time) {
    return new RightsWatch(keys, people, time);
  }

  @Bean
  AdminSessions adminSessions(
      AdministratorKeys keys, AdministratorPeople people, Stores stores, InstantSource time, RandomGenerator random) {
    return new AdminSessions(keys, people, stores, time, random);
  }

  @Bean
  FilterRegistrationBean<AdminKeyFilter> adminKeyFilter(AdminKeyCheck keys, AdminSessions sessions) {
    var registration = new FilterRegistrationBean<>(new AdminKeyFilter(keys, sessions));
    registration.addUrlPatterns("/admin/*");
    return registration;
  }

  @Bean
  AdminAudit adminAudit(AuditLog log) {
    return new AdminAudit(log);
  }

  @Bean
  UnprocessableBodies unprocessableBodies(JsonMapper json) {
    return new UnprocessableBodies(json);
  }

  @Bean
  AdminProblems adminProblems(RefusalLog refusals, RandomGenerator random) {
    return new AdminProblems(refusals, random);
  }

  @Bean
  WebMvcConfigurer roles(InstantSource time) {
    return new WebMvcConfigurer() {
      @Override
      public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new RoleInterceptor(time));
      }
    };
  }

  @Bean
  WebMvcConfigurer incompleteAnswers() {
    return new WebMvcConfigurer() {
      /** Before all others: nothing may be appended to an answer of which a part was sent. */
      @Override
      public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
        resolvers.addFirst(new IncompleteAnswers());
      }
    };
  }
}
