package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.OAuthConfig.Registration;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code idp.oauth} of a realm. */
final class OAuthYaml {

  private static final Map<String, Registration> REGISTRATION =
      Map.of("closed", Registration.CLOSED, "token", Registration.TOKEN, "loopback", Registration.LOOPBACK);

  private final YamlSection oauth;
  private final Optional<Origin> idp;

  /** @param idp the identity provider's own origin, as far as it could be read */
  OAuthYaml(YamlSection oauth, Optional<Origin> idp) {
    this.oauth = oauth;
    this.idp = idp;
  }

  OAuthConfig read() {
    OAuthConfig usual = OAuthConfig.USUAL;
    return new OAuthConfig(
        life("accessTokenLife", usual.accessTokenLife(), Duration.ofHours(24)),
        life("refreshTokenLife", usual.refreshTokenLife(), Duration.ofDays(3650)),
        life("codeLife", usual.codeLife(), Duration.ofMinutes(10)),
        life("deviceCodeLife", usual.deviceCodeLife(), Duration.ofMinutes(30)),
        life("pushedLife", usual.pushedLife(), Duration.ofMinutes(10)),
        oauth.read("registration", usual.registration(), v -> v.choice(REGISTRATION)),
        scopes(usual.scopes()),
        claims(),
        oauth.value("certificateUrl").flatMap(YamlValue::origin).flatMap(this::certificateUrl),
        oauth.value("certificateCa").flatMap(ContractsYaml::authorities).orElse(List.of()));
  }

  private Duration life(String name, Duration usual, Duration limit) {
    return oauth.read(name, usual, v -> v.duration(Duration.ofSeconds(1), limit));
  }

  private Map<String, List<String>> scopes(Map<String, List<String>> usual) {
    if (!oauth.has("scopes")) {
      oauth.mapOfLists("scopes");
      return usual;
    }
    Map<String, List<String>> scopes = new LinkedHashMap<>();
    oauth
        .mapOfLists("scopes")
        .forEach(
            (scope, claims) -> {
              if (!ClientsYaml.isScope(scope)) {
                oauth.problem("scopes", "has “" + scope + "”, which is not a scope", ClientsYaml.SCOPE_REMEDY);
              }
              scopes.put(scope, claims.stream().map(YamlValue::text).toList());
            });
    return scopes;
  }

  private Map<String, String> claims() {
    Map<String, String> claims = new LinkedHashMap<>(OAuthConfig.STANDARD_CLAIMS);
    oauth.map("claims").forEach((claim, attribute) -> claims.put(claim, attribute.text()));
    return claims;
  }

  private Optional<URI> certificateUrl(Origin origin) {
    if (!origin.isSecure()) {
      oauth.problem("certificateUrl", "is not https: client certificates are part of TLS", "write https://");
      return Optional.empty();
    }
    if (idp.filter(origin::equals).isPresent()) {
      oauth.problem(
          "certificateUrl", "is idp.publicUrl, whose listener asks nobody for a certificate",
          "give it a port or host of its own");
      return Optional.empty();
    }
    return Optional.of(URI.create(origin.toString()));
  }
}
