package dev.gatehouse.gateway.console;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AssertionConsumerService;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Configurations of the apps' own servers and frameworks, with the real values, from the files in {@code snippets/}. */
final class AppSnippets {

  /**
   * A text to paste.
   *
   * @param name the product, and a key of the texts below {@code console.snippet}
   */
  record Snippet(String name, String text) {}

  private static final Pattern PLACEHOLDER = Pattern.compile("@([A-Za-z]+)@");

  /** What is plain text in each of the languages of the snippets; a value with anything else could add a directive. */
  private static final Pattern PLAIN = Pattern.compile("[\\p{Alnum}_.:/?&=%~+,!*\\[\\] -]*");

  private static final String SECRET = "YOUR-CLIENT-SECRET";

  private final PartnerRegistry partners;
  private final Node node;

  AppSnippets(PartnerRegistry partners, Node node) {
    this.partners = partners;
    this.node = node;
  }

  /** @param secret the client's, if it is known; otherwise the snippets say where it belongs */
  List<Snippet> of(Realm realm, AppKind kind, String id, Optional<String> secret) {
    Optional<String> issuer = realm.idp().map((IdpConfig idp) -> idp.entityId(realm.name()));
    return switch (kind) {
      case SAML -> issuer.map(idp -> saml(realm, idp, id)).orElse(List.of());
      case OPENID ->
          realm.parties().clients().stream()
              .filter(client -> client.clientId().equals(id) && !client.permissions().redirectUris().isEmpty())
              .findFirst()
              .flatMap(client -> issuer.map(idp -> openid(idp, client, secret.orElse(SECRET))))
              .orElse(List.of());
      case PROXIED, FORM_FILL -> TestLogins.route(realm, id).map(this::forwardAuth).orElse(List.of());
    };
  }

  private List<Snippet> saml(Realm realm, String idp, String entityId) {
    Optional<String> acs = partners.find(realm.name(), entityId).flatMap(AppSnippets::acs);
    String path = acs.map(AppSnippets::path).filter(found -> found.endsWith("/postResponse")).orElse("/mellon/postResponse");
    Map<String, String> values =
        Map.of(
            "entityId", entityId,
            "acs", acs.orElse("{baseUrl}/login/saml2/sso/{registrationId}"),
            "metadata", idp + "/saml/metadata",
            "endpoint", path.substring(0, path.length() - "/postResponse".length()),
            "folder", "/etc/apache2/mellon",
            "name", realm.name(),
            "user", "uid",
            "protected", "/");
    return rendered(values, "spring-saml.yaml", "mod_auth_mellon.conf");
  }

  private static Optional<String> acs(Partner partner) {
    return partner.metadata() instanceof Partner.MetadataState.Usable usable
        ? usable.metadata().sp().stream()
            .flatMap(sp -> sp.assertionConsumers().stream())
            .filter(service -> service.binding() == Binding.POST)
            .min(Comparator.comparing(AssertionConsumerService::isDefault).reversed().thenComparing(AssertionConsumerService::index))
            .map(AssertionConsumerService::location)
        : Optional.empty();
  }

  private static String path(String url) {
    return Optional.ofNullable(URI.create(url).getPath()).orElse("/");
  }

  private static List<Snippet> openid(String issuer, ClientConfig client, String secret) {
    TreeSet<String> scopes = new TreeSet<>(client.permissions().scopes());
    boolean isPublic = client.isPublic();
    Map<String, String> values = new TreeMap<>();
    values.put("issuer", issuer);
    values.put("clientId", client.clientId());
    values.put("secret", secret);
    values.put("redirectUri", client.permissions().redirectUris().getFirst());
    values.put("authentication", isPublic ? "none" : "client_secret_basic");
    values.put("protected", "/");
    values.put("passphrase", "exec:/usr/bin/openssl rand -hex 32");
    return Stream.of(
            rendered(with(values, "scopes", String.join(", ", scopes)), "spring-oidc.yaml"),
            isPublic ? List.<Snippet>of() : rendered(with(values, "scopes", String.join(" ", scopes)), "mod_auth_openidc.conf"))
        .flatMap(List::stream)
        .toList();
  }

  private static Map<String, String> with(Map<String, String> values, String name, String value) {
    Map<String, String> more = new TreeMap<>(values);
    more.put(name, value);
    return more;
  }

  private List<Snippet> forwardAuth(RouteConfig route) {
    String app = route.upstream().isNone() ? "http://127.0.0.1:9000" : route.upstream().servers().getFirst().url().toString();
    Optional<URI> gateway = gateway();
    if (gateway.isEmpty()) {
      return List.of();
    }
    Map<String, String> values =
        Map.of(
            "gateway", gateway.get().toString(),
            "gatewayAddress", gateway.get().getAuthority(),
            "app", app,
            "appAddress", Optional.ofNullable(URI.create(app).getAuthority()).orElse(app),
            "host", TestLogins.host(route));
    return rendered(values, "nginx.conf", "traefik.yaml", "caddy.conf", "SpringSecurity.java");
  }

  /** Returns the gateway's listener as another server on this machine reaches it, the one without TLS if there is one. */
  private Optional<URI> gateway() {
    return node.listeners().gateway().stream()
        .min(Comparator.comparing(listener -> listener.tls().isPresent()))
        .map(
            listener -> {
              InetSocketAddress address = listener.address();
              String host =
                  Optional.ofNullable(address.getAddress())
                      .filter(own -> !own.isAnyLocalAddress())
                      .map(InetAddress::getHostAddress)
                      .orElse("127.0.0.1");
              String scheme = listener.tls().isPresent() ? "https" : "http";
              return URI.create(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort());
            });
  }

  private static List<Snippet> rendered(Map<String, String> values, String... files) {
    return Arrays.stream(files).map(file -> render(file, values)).flatMap(Optional::stream).toList();
  }

  /** Returns the snippet; empty if a value is more than plain text. */
  static Optional<Snippet> render(String file, Map<String, String> values) {
    StringBuilder text = new StringBuilder();
    Matcher placeholder = PLACEHOLDER.matcher(template(file));
    while (placeholder.find()) {
      String value = Objects.requireNonNull(values.get(placeholder.group(1)), placeholder.group());
      if (!PLAIN.matcher(value.replace("{baseUrl}", "").replace("{registrationId}", "")).matches()) {
        return Optional.empty();
      }
      placeholder.appendReplacement(text, Matcher.quoteReplacement(value));
    }
    return Optional.of(new Snippet(file, placeholder.appendTail(text).toString()));
  }

  private static String template(String file) {
    try (InputStream in = AppSnippets.class.getResourceAsStream("/snippets/" + file)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
