package dev.gatehouse.gateway.netty;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.security.Principal;
import java.util.List;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationProvider;
import org.springframework.security.web.authentication.preauth.RequestHeaderAuthenticationFilter;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/**
 * An app as Spring's guides have it behind a single sign-on proxy: Spring Security takes the person from {@code Remote-User}, Spring
 * Web the address from the forwarding fields; sessions and tokens against forged forms are Spring's own.
 */
final class SpringOffice implements AutoCloseable {

  private final AnnotationConfigServletWebServerApplicationContext context =
      new AnnotationConfigServletWebServerApplicationContext();

  SpringOffice() {
    context.registerBean(
        JettyServletWebServerFactory.class,
        () -> {
          JettyServletWebServerFactory jetty = new JettyServletWebServerFactory(0);
          jetty.setAddress(InetAddress.getLoopbackAddress());
          return jetty;
        });
    context.register(Office.class, Desk.class);
    context.refresh();
  }

  int port() {
    return java.util.Objects.requireNonNull(context.getWebServer()).getPort();
  }

  @Override
  public void close() {
    context.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableWebMvc
  @EnableWebSecurity
  static class Office {

    @Bean
    DispatcherServlet dispatcherServlet() {
      return new DispatcherServlet();
    }

    @Bean
    ForwardedHeaderFilter forwardedHeaders() {
      return new ForwardedHeaderFilter();
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
      PreAuthenticatedAuthenticationProvider provider = new PreAuthenticatedAuthenticationProvider();
      provider.setPreAuthenticatedUserDetailsService(
          token -> new User(token.getName(), "", AuthorityUtils.createAuthorityList("ROLE_PERSON")));
      RequestHeaderAuthenticationFilter header = new RequestHeaderAuthenticationFilter();
      header.setPrincipalRequestHeader("Remote-User");
      header.setExceptionIfHeaderMissing(false);
      header.setAuthenticationManager(new ProviderManager(List.of(provider)));
      return http.addFilter(header).authorizeHttpRequests(all -> all.anyRequest().hasRole("PERSON")).build();
    }
  }

  @RestController
  static class Desk {

    @GetMapping("/desk")
    String desk(Principal person, HttpServletRequest request) {
      return person.getName() + " at " + request.getRequestURL();
    }

    @GetMapping("/token")
    String token(CsrfToken token) {
      return token.getHeaderName() + ": " + token.getToken();
    }

    @PostMapping("/desk")
    String written(Principal person) {
      return person.getName() + " has written";
    }
  }
}
