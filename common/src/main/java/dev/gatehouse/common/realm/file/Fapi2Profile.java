package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.Binding;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.YamlSection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@code profile: fapi2} of a client: the FAPI 2.0 Security Profile (Final), section 5.3.2 and, for algorithms, 5.4.1. The
 * profile's requirements are the defaults; a key that contradicts them is reported.
 */
final class Fapi2Profile {

  /** Tokens signed with ES256 and bound by DPoP. */
  static final Tokens TOKENS =
      new Tokens(
          Tokens.USUAL.accessToken(),
          JwsName.ES256,
          Tokens.USUAL.accessTokenLife(),
          Tokens.USUAL.refreshTokenLife(),
          Tokens.USUAL.refreshGrace(),
          JwsName.ES256,
          Tokens.USUAL.idTokenEncryption(),
          Tokens.USUAL.userInfoAlgorithm(),
          Tokens.USUAL.userInfoEncryption(),
          Binding.DPOP);

  private static final Set<Method> METHODS =
      Set.of(Method.PRIVATE_KEY_JWT, Method.TLS, Method.SELF_SIGNED_TLS);
  private static final Set<GrantType> GRANTS =
      Set.of(GrantType.CODE, GrantType.REFRESH, GrantType.CLIENT_CREDENTIALS);

  private Fapi2Profile() {}

  static void check(YamlSection section, ClientConfig client) {
    if (!METHODS.containsAll(client.authentication().methods())) {
      section.problem(
          ClientKeys.AUTHENTICATION,
          "has " + methods(client) + ", which profile: fapi2 does not allow",
          "write private_key_jwt, tls_client_auth or self_signed_tls_client_auth");
    }
    if (!GRANTS.containsAll(client.permissions().grants())) {
      section.problem(
          ClientKeys.GRANTS, "has " + grants(client) + ", which profile: fapi2 does not allow",
          "keep authorization_code, refresh_token, client_credentials");
    }
    if (!client.requests().pkce()) {
      section.problem(ClientKeys.PKCE, "is off, but profile: fapi2 requires PKCE", "remove the key");
    }
    if (!client.requests().pushed()) {
      section.problem(ClientKeys.PUSHED, "is off, but profile: fapi2 requires pushed requests", "remove the key");
    }
    if (client.tokens().binding() == Binding.AS_USED) {
      section.problem(ClientKeys.BINDING, "is asUsed, but profile: fapi2 requires bound tokens", "write dpop, dpopNonce or certificate");
    }
    algorithm(section, ClientKeys.REQUEST_ALGORITHM, client.requests().requestAlgorithm());
    algorithm(section, ClientKeys.AUTHENTICATION_ALGORITHM, client.requests().authenticationAlgorithm());
    algorithm(section, ClientKeys.ACCESS_TOKENS, Optional.of(client.tokens().accessTokenAlgorithm()));
    algorithm(section, ClientKeys.ID_TOKENS, Optional.of(client.tokens().idTokenAlgorithm()));
    algorithm(section, ClientKeys.USER_INFOS, client.tokens().userInfoAlgorithm());
  }

  /** Section 5.4.1: PS256, ES256 or EdDSA. */
  private static void algorithm(YamlSection section, Key<?> key, Optional<JwsName> algorithm) {
    if (algorithm.filter(JwsName.RS256::equals).isPresent()) {
      section.problem(key, "is signed by RS256, which profile: fapi2 does not allow", "write PS256, ES256 or EdDSA");
    }
  }

  private static String methods(ClientConfig client) {
    return client.authentication().methods().stream()
        .filter(method -> !METHODS.contains(method))
        .map(Method::value)
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static String grants(ClientConfig client) {
    return client.permissions().grants().stream()
        .filter(grant -> !GRANTS.contains(grant))
        .map(ClientsYaml::word)
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
