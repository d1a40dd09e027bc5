package dev.gatehouse.gateway.console;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SpConfig;
import java.net.URI;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;

/** Addresses at which a login for an app begins, for an administrator who wants to see whether it works. */
final class TestLogins {

  private TestLogins() {}

  /** Returns the address; empty if only the app itself can begin a login. */
  static Optional<String> of(Realm realm, AppKind kind, String id) {
    return switch (kind) {
      case SAML -> realm.idp().filter(IdpConfig::unsolicited).map(idp -> Address.with(idp.entityId(realm.name()) + "/saml/init", "sp", id));
      case OPENID ->
          realm.parties().clients().stream()
              .filter(client -> client.clientId().equals(id))
              .findFirst()
              .flatMap(client -> realm.idp().flatMap(idp -> client(idp.entityId(realm.name()), client)));
      case PROXIED, FORM_FILL -> route(realm, id).map(route -> address(realm, route));
    };
  }

  static Optional<RouteConfig> route(Realm realm, String name) {
    return realm.gateway().routes().stream().filter(route -> route.name().equals(name)).findFirst();
  }

  private static Optional<String> client(String issuer, ClientConfig client) {
    // OpenID Connect Core 1.0, section 4; the address may have a query of its own.
    Optional<String> own =
        client.about().initiateLogin()
            .map(URI::toString)
            .filter(url -> url.startsWith("https:") || url.startsWith("http:"))
            .map(url -> url + (url.contains("?") ? "&" : "?") + Address.with("", "iss", issuer).substring(1));
    boolean isUsual =
        client.permissions().grants().contains(GrantType.CODE)
            && !client.permissions().redirectUris().isEmpty()
            && !client.requests().pushed()
            && !client.requests().signed();
    return own.or(() -> isUsual ? Optional.of(authorization(issuer, client)) : Optional.empty());
  }

  /** The verifier of this challenge is forgotten, so that nobody can exchange the code of the test. */
  private static String authorization(String issuer, ClientConfig client) {
    return Address.with(
        issuer + "/oauth/authorize",
        "response_type", "code",
        "client_id", client.clientId(),
        "redirect_uri", client.permissions().redirectUris().getFirst(),
        "scope", String.join(" ", new TreeSet<>(client.permissions().scopes())),
        "state", "test",
        "nonce", "test",
        "code_challenge_method", "S256",
        "code_challenge", Sha256.base64Url(UUID.randomUUID().toString()));
  }

  /** Returns an address of the route, at the scheme and port of the realm's service provider. */
  static String address(Realm realm, RouteConfig route) {
    Optional<URI> url = realm.sp().map(SpConfig::publicUrl);
    String scheme = url.map(URI::getScheme).orElse("https");
    String port = url.map(URI::getPort).filter(number -> number > 0).map(number -> ":" + number).orElse("");
    String path = route.match().path();
    return scheme + "://" + host(route) + port + (path.contains("{") ? path.substring(0, path.indexOf('{')) : path);
  }

  static String host(RouteConfig route) {
    return route.match().hosts().stream().sorted().findFirst().orElse("localhost");
  }
}
