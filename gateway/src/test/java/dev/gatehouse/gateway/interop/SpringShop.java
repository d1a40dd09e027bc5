package dev.gatehouse.gateway.interop;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.AuthorizedClientServiceOAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.InMemoryOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizeRequest;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientProviderBuilder;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.endpoint.RestClientClientCredentialsTokenResponseClient;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.resource.introspection.SpringOpaqueTokenIntrospector;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A shop made of Spring Security alone: people log in by its OAuth client with PKCE and log out from either side,
 * {@code /api} takes JWTs of RFC 9068, and {@code /stock} takes opaque tokens, about which it asks the provider.
 */
final class SpringShop implements AutoCloseable {

  /** @param base its origin; @param issuer of the provider */
  private record Place(String base, String issuer) {}

  private final AnnotationConfigServletWebServerApplicationContext context;

  private SpringShop(AnnotationConfigServletWebServerApplicationContext context) {
    this.context = context;
  }

  static SpringShop start(String address, int port, String issuer) throws UnknownHostException {
    InetAddress host = InetAddress.getByName(address);
    var context = new AnnotationConfigServletWebServerApplicationContext();
    context.registerBean(Place.class, () -> new Place("http://" + address + ":" + port, issuer));
    context.registerBean(
        JettyServletWebServerFactory.class,
        () -> {
          JettyServletWebServerFactory jetty = new JettyServletWebServerFactory(port);
          jetty.setAddress(host);
          return jetty;
        });
    context.register(Shop.class);
    context.refresh();
    return new SpringShop(context);
  }

  /** An opaque token for the stock, which Spring's client gets in its own name. */
  String porterToken() {
    var manager = context.getBean(AuthorizedClientServiceOAuth2AuthorizedClientManager.class);
    OAuth2AuthorizeRequest request =
        OAuth2AuthorizeRequest.withClientRegistrationId("porter").principal("porter").build();
    return Objects.requireNonNull(manager.authorize(request)).getAccessToken().getTokenValue();
  }

  @Override
  public void close() {
    context.close();
  }

  /** Nothing is configured by itself here; Spring Security's defaults are as they are. */
  @Configuration(proxyBeanMethods = false)
  @EnableWebSecurity
  static class Shop {

    @Bean
    DispatcherServlet dispatcherServlet() {
      return new DispatcherServlet();
    }

    /** The shop as discovery tells it to be; the porter. */
    @Bean
    ClientRegistrationRepository registrations(Place place) {
      ClientRegistration guild =
          ClientRegistrations.fromOidcIssuerLocation(place.issuer())
              .registrationId("guild")
              .clientId("shop")
              .clientSecret("a-shop-secret")
              .scope("openid", "profile", "email")
              .userNameAttributeName("preferred_username")
              .clientSettings(ClientRegistration.ClientSettings.builder().requireProofKey(true).build())
              .build();
      ClientRegistration porter =
          ClientRegistrations.fromIssuerLocation(place.issuer())
              .registrationId("porter")
              .clientId("porter")
              .clientSecret("a-porter-secret")
              .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
              .build();
      return new InMemoryClientRegistrationRepository(guild, porter);
    }

    @Bean
    OAuth2AuthorizedClientService authorizedClients(ClientRegistrationRepository registrations) {
      return new InMemoryOAuth2AuthorizedClientService(registrations);
    }

    @Bean
    AuthorizedClientServiceOAuth2AuthorizedClientManager manager(
        Place place, ClientRegistrationRepository registrations, OAuth2AuthorizedClientService authorizedClients) {
      var tokens = new RestClientClientCredentialsTokenResponseClient();
      tokens.addParametersConverter(
          grant -> new LinkedMultiValueMap<>(Map.of("resource", List.of(place.base() + "/stock"))));
      var manager = new AuthorizedClientServiceOAuth2AuthorizedClientManager(registrations, authorizedClients);
      manager.setAuthorizedClientProvider(
          OAuth2AuthorizedClientProviderBuilder.builder()
              .clientCredentials(credentials -> credentials.accessTokenResponseClient(tokens))
              .build());
      return manager;
    }

    @Bean
    @Order(1)
    SecurityFilterChain api(HttpSecurity http, Place place) {
      NimbusJwtDecoder decoder = NimbusJwtDecoder.withIssuerLocation(place.issuer()).validateType(false).build();
      decoder.setJwtValidator(
          JwtValidators.createAtJwtValidator()
              .issuer(place.issuer())
              .audience(place.issuer())
              .clientId("shop")
              .build());
      return resource(http, "/api/**")
          .oauth2ResourceServer(server -> server.jwt(jwt -> jwt.decoder(decoder)))
          .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain stock(HttpSecurity http, Place place) {
      var introspector =
          SpringOpaqueTokenIntrospector.withIntrospectionUri(place.issuer() + "/oauth/introspect")
              .clientId("stock")
              .clientSecret("a-stock-secret")
              .build();
      return resource(http, "/stock/**")
          .oauth2ResourceServer(server -> server.opaqueToken(opaque -> opaque.introspector(introspector)))
          .build();
    }

    private static HttpSecurity resource(HttpSecurity http, String paths) {
      return http.securityMatcher(paths).authorizeHttpRequests(requests -> requests.anyRequest().authenticated());
    }

    @Bean
    @Order(3)
    SecurityFilterChain pages(HttpSecurity http, ClientRegistrationRepository registrations) {
      var logout = new OidcClientInitiatedLogoutSuccessHandler(registrations);
      logout.setPostLogoutRedirectUri("{baseUrl}/left");
      return http.authorizeHttpRequests(
              requests -> requests.requestMatchers("/left").permitAll().anyRequest().authenticated())
          .oauth2Login(Customizer.withDefaults())
          .oidcLogout(ended -> ended.backChannel(Customizer.withDefaults()))
          .logout(ending -> ending.logoutSuccessHandler(logout))
          .build();
    }

    @Bean
    RouterFunction<ServerResponse> content(OAuth2AuthorizedClientService authorizedClients) {
      return RouterFunctions.route()
          .GET("/", request -> html(counter(request, authorizedClients)))
          .GET("/left", request -> html("<h1>You have left</h1>"))
          .GET("/api/me", Shop::name)
          .GET("/stock/me", Shop::name)
          .build();
    }

    private static String counter(ServerRequest request, OAuth2AuthorizedClientService authorizedClients) {
      Authentication authentication = (Authentication) request.principal().orElseThrow();
      OidcUser user = (OidcUser) Objects.requireNonNull(authentication.getPrincipal());
      OAuth2AuthorizedClient client =
          Objects.requireNonNull(authorizedClients.loadAuthorizedClient("guild", authentication.getName()));
      CsrfToken csrf = (CsrfToken) request.attribute(CsrfToken.class.getName()).orElseThrow();
      return """
          <h1>Counter</h1><dl><dt>user</dt><dd id="user">%s</dd><dt>email</dt><dd id="email">%s</dd>
          <dt>sub</dt><dd id="sub">%s</dd>
          <dt>token</dt><dd id="token">%s</dd><dt>ID token</dt><dd id="id-token">%s</dd></dl>
          <form method="post" action="/logout"><input type="hidden" name="%s" value="%s"><button>Log out</button></form>
          """
          .formatted(
              authentication.getName(), user.getEmail(), user.getSubject(), client.getAccessToken().getTokenValue(),
              user.getIdToken().getTokenValue(), csrf.getParameterName(), csrf.getToken());
    }

    private static ServerResponse html(String body) {
      return ServerResponse.ok()
          .contentType(MediaType.TEXT_HTML)
          .body("<!doctype html><html lang=\"en\"><title>Guild shop</title>" + body + "</html>");
    }

    /** Whom the token is about. */
    private static ServerResponse name(ServerRequest request) {
      return ServerResponse.ok()
          .contentType(MediaType.TEXT_PLAIN)
          .body(request.principal().orElseThrow().getName());
    }
  }
}
