package dev.gatehouse.idp;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.proxy.ProxyRefusals;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.trace.Tracing;
import dev.gatehouse.idp.certificate.CertificateLogins;
import dev.gatehouse.idp.edge.CertificateEdge;
import dev.gatehouse.idp.edge.EdgeThreads;
import dev.gatehouse.idp.edge.EndpointDispatcher;
import dev.gatehouse.idp.edge.IdpEdge;
import dev.gatehouse.idp.edge.IdpListeners;
import dev.gatehouse.idp.edge.Routes;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.otp.people.PeopleConfig;
import dev.gatehouse.idp.otp.radius.RadiusConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.context.support.HttpRequestHandlerServlet;

/**
 * The identity provider's servlet context: its own Jetty with all listeners of the node's {@code idp}, and one handler
 * for all paths. Nothing is configured automatically: no static resources, no view layer, no error page of the
 * framework. It is a child of the context that contains {@link IdpServices}, and has what else listens or repeats: RADIUS, and the
 * synchronisation of people.
 */
@Configuration(proxyBeanMethods = false)
@Import({PeopleConfig.class, RadiusConfiguration.class})
public class IdpApplication {

  @Bean
  IdpListeners idpListeners(Node node, Realms realms, Optional<MeterRegistry> registry) {
    ProxyRefusals refusals = new ProxyRefusals();
    registry.ifPresent(meters -> refusals.publish(meters, "idp"));
    return new IdpListeners(node.listeners(), realms, node.trustedProxies(), refusals);
  }

  @Bean
  JettyServletWebServerFactory idpWebServer(IdpListeners listeners) {
    JettyServletWebServerFactory factory = new JettyServletWebServerFactory();
    factory.setThreadPool(new EdgeThreads("idp"));
    factory.addServerCustomizers(listeners);
    return factory;
  }

  @Bean
  IdpEdge idpEdge(
      List<RouteGroup> groups, CertificateLogins logins, Node node, Realms realms, Pages pages, RandomGenerator random,
      Optional<Tracing> tracing) {
    EndpointDispatcher dispatcher = new EndpointDispatcher(realms, new Routes(node.isOtpReplica() ? Routes.ofAgents(groups) : groups), pages, random);
    CertificateEdge certificates = new CertificateEdge(realms, dispatcher, logins);
    return new IdpEdge(realms, dispatcher, certificates, node.trustedProxies(), tracing.orElse(Tracing.OFF));
  }

  /** Spring's servlet with a single handler, the bean of its own name: no dispatching is needed here. */
  @Bean
  ServletRegistrationBean<HttpRequestHandlerServlet> servlet() {
    var servlet = new ServletRegistrationBean<>(new HttpRequestHandlerServlet(), "/");
    servlet.setName("idpEdge");
    servlet.setLoadOnStartup(1);
    return servlet;
  }
}
