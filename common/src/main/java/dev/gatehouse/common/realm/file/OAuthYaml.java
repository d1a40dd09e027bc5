package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.OAuthConfig.Registration;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code idp.oauth} of a realm. */
final class OAuthYaml {

  static final Section KEYS = new Section();
  private static final Key<Duration> ACCESS = life("accessTokenLife", "5m", "24h", "Life of access tokens.");
  private static final Key<Duration> REFRESH =
      life("refreshTokenLife", "30d", "3650d", "Life of refresh tokens from the last use.");
  private static final Key<Duration> CODE = life("codeLife", "1m", "10m", "Life of authorization codes.");
  private static final Key<Duration> DEVICE = life("deviceCodeLife", "10m", "30m", "Life of device codes.");
  private static final Key<Duration> PUSHED = life("pushedLife", "90s", "10m", "Life of a pushed authorization request.");
  private static final Key<Registration> REGISTRATION =
      KEYS.key(
          "registration", Type.choice(Registration.class), "closed",
          "Registration of clients at run time. `token`: with a token from `gatehouse keys registration`; `loopback`: also "
              + "without one from this machine.");
  private static final Key<String> SCOPES =
      KEYS.lists("scopes", Type.TEXT, "{roles: [roles, groups]}",
          "The realm's own scopes: the claims that each scope releases to a client.");
  private static final Key<String> CLAIMS =
      KEYS.map("claims", Type.TEXT, "{}",
          "Claim to attribute, besides the standard ones, e.g. `{department: departmentNumber}`; `gatehouse check` lists which attribute "
              + "feeds which claim.");
  /** What tokens say of themselves and of the login (RFC 7519, section 4.1; OpenID Connect Core 2): no attribute replaces it. */
  private static final Set<String> OF_TOKENS =
      Set.of(
          "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "auth_time", "nonce", "acr", "amr", "azp", "at_hash", "c_hash", "s_hash", "sid");

  private static final Key<Origin> CERTIFICATE_URL =
      KEYS.key("certificateUrl", Type.OWN_ORIGIN, "e.g. https://id.example.org:8445", "The origin of `listeners.clientCertificates`.");
  private static final Key<List<X509Certificate>> CERTIFICATE_CA =
      KEYS.key(
          "certificateCa", Pems.AUTHORITIES, "e.g. clients-ca.crt",
          "Authorities that issue the certificates of clients with `authentication: tls_client_auth`.");

  private static Key<Duration> life(String name, String usual, String most, String sentence) {
    return KEYS.key(name, Type.duration("1s", most), usual, sentence);
  }

  private final YamlSection oauth;
  private final Optional<Origin> idp;

  /** @param idp the identity provider's own origin, as far as it could be read */
  OAuthYaml(YamlSection oauth, Optional<Origin> idp) {
    this.oauth = oauth;
    this.idp = idp;
  }

  OAuthConfig read() {
    return new OAuthConfig(
        oauth.get(ACCESS),
        oauth.get(REFRESH),
        oauth.get(CODE),
        oauth.get(DEVICE),
        oauth.get(PUSHED),
        oauth.get(REGISTRATION),
        oauth.has(SCOPES) ? scopes() : OAuthConfig.USUAL.scopes(),
        claims(),
        oauth
            .find(CERTIFICATE_URL)
            .filter(origin -> ContractsYaml.isItsOwn(oauth, CERTIFICATE_URL, origin, idp))
            .map(origin -> URI.create(origin.toString())),
        oauth.get(CERTIFICATE_CA, List.of()));
  }

  private Map<String, List<String>> scopes() {
    Map<String, List<String>> scopes = oauth.lists(SCOPES);
    scopes.keySet().stream()
        .filter(scope -> !ClientsYaml.isScope(scope))
        .forEach(scope -> oauth.problem(SCOPES, "has “" + scope + "”, which is not a scope", ClientsYaml.SCOPE_REMEDY));
    return scopes;
  }

  private Map<String, String> claims() {
    Map<String, String> claims = new LinkedHashMap<>(OAuthConfig.STANDARD_CLAIMS);
    Map<String, String> own = oauth.map(CLAIMS);
    own.keySet().stream()
        .filter(OF_TOKENS::contains)
        .forEach(
            claim ->
                oauth.problem(
                    CLAIMS, "has “" + claim + "”, which Gatehouse writes into tokens itself", "write another name for the claim"));
    claims.putAll(own);
    return claims;
  }
}
