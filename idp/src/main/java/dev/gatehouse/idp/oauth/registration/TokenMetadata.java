package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.Binding;
import dev.gatehouse.common.realm.ClientConfig.Encryption;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ClientConfig.Requests;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings for the tokens and requests of a client that registers (OpenID Connect Dynamic Client Registration 1.0,
 * section 2; RFC 9101, section 10.5; RFC 9126, section 6; RFC 9449, section 5.2; RFC 8705, section 3.4).
 */
record TokenMetadata(
    Tokens tokens,
    boolean pushed,
    boolean signed,
    List<URI> requestUris,
    Optional<JwsName> requestAlgorithm,
    Optional<Duration> defaultMaxAge,
    boolean requireAuthTime,
    List<String> defaultAcrValues) {

  private static final Map<String, JwsName> SIGNATURES =
      Map.of("RS256", JwsName.RS256, "PS256", JwsName.PS256, "ES256", JwsName.ES256, "EdDSA", JwsName.EDDSA);

  private static final Map<String, JwsName> REQUESTS =
      Map.of(
          "RS256", JwsName.RS256,
          "PS256", JwsName.PS256,
          "ES256", JwsName.ES256,
          "EdDSA", JwsName.EDDSA,
          "HS256", JwsName.HS256);

  private static final Map<String, String> KEY_ENCRYPTION =
      Map.of("RSA-OAEP-256", "RSA-OAEP-256", "ECDH-ES", "ECDH-ES", "ECDH-ES+A256KW", "ECDH-ES+A256KW");

  private static final Map<String, String> CONTENT_ENCRYPTION =
      Map.of("A128CBC-HS256", "A128CBC-HS256", "A128GCM", "A128GCM", "A256GCM", "A256GCM");

  private static final long MAX_AGE = Duration.ofDays(365).toSeconds();

  static TokenMetadata read(MetadataReader in, boolean hasKeys) {
    JwsName idToken = in.choice("id_token_signed_response_alg", SIGNATURES).orElse(JwsName.RS256);
    if (!in.has("id_token_signed_response_alg")) {
      in.register("id_token_signed_response_alg", idToken.value());
    }
    Optional<Encryption> idTokenEncryption = encryption(in, "id_token", hasKeys);
    Optional<JwsName> userInfo = in.choice("userinfo_signed_response_alg", SIGNATURES);
    Optional<Encryption> userInfoEncryption = encryption(in, "userinfo", hasKeys);
    boolean dpop = in.flag("dpop_bound_access_tokens");
    boolean certificate = in.flag("tls_client_certificate_bound_access_tokens");
    if (dpop && certificate) {
      in.wrong("dpop_bound_access_tokens", "and tls_client_certificate_bound_access_tokens exclude each other");
    }
    Tokens usual = Tokens.USUAL;
    return new TokenMetadata(
        new Tokens(
            usual.accessToken(),
            usual.accessTokenAlgorithm(),
            usual.accessTokenLife(),
            usual.refreshTokenLife(),
            usual.refreshGrace(),
            idToken,
            idTokenEncryption,
            userInfo,
            userInfoEncryption,
            dpop ? Binding.DPOP : certificate ? Binding.CERTIFICATE : Binding.AS_USED),
        in.flag("require_pushed_authorization_requests"),
        in.flag("require_signed_request_object"),
        in.urls("request_uris"),
        in.choice("request_object_signing_alg", REQUESTS),
        in.seconds("default_max_age", MAX_AGE).map(Duration::ofSeconds),
        in.flag("require_auth_time"),
        in.texts("default_acr_values"));
  }

  private static Optional<Encryption> encryption(MetadataReader in, String what, boolean hasKeys) {
    String algorithmName = what + "_encrypted_response_alg";
    String methodName = what + "_encrypted_response_enc";
    Optional<String> algorithm = in.choice(algorithmName, KEY_ENCRYPTION);
    Optional<String> method = in.choice(methodName, CONTENT_ENCRYPTION);
    if (method.isPresent() && algorithm.isEmpty()) {
      in.wrong(methodName, "stands without " + algorithmName);
    }
    if (algorithm.isPresent() && !hasKeys) {
      in.wrong(algorithmName, "needs the client's keys");
    }
    if (algorithm.isPresent() && method.isEmpty()) {
      in.register(methodName, "A128CBC-HS256");
    }
    return algorithm.map(name -> new Encryption(name, method.orElse("A128CBC-HS256")));
  }

  /**
   * Confidential clients that register may omit PKCE; public clients and those that must follow FAPI 2.0 (5.3.2.2) may
   * not.
   */
  Requests requests(AuthenticationMetadata authentication) {
    return new Requests(
        authentication.method() == Method.NONE || pushed && tokens.binding() != Binding.AS_USED,
        pushed,
        signed,
        requestUris,
        requestAlgorithm,
        authentication.algorithm(),
        defaultMaxAge,
        requireAuthTime,
        defaultAcrValues);
  }
}
