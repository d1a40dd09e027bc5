package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.OAuthConfig.Registration;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.StandardScopes;
import dev.gatehouse.idp.session.AuthnContexts;
import dev.gatehouse.idp.session.AuthnLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The capabilities of the realm's provider (OpenID Connect Discovery 3; RFC 8414, section 2, with later additions).
 * Historical flows are listed only if a client of the realm may use them, or may register for them.
 */
final class ProviderMetadata {

  private static final List<String> SIGNING = List.of("RS256", "PS256", "ES256", "EdDSA");
  private static final List<String> CLIENTS_SIGNING = List.of("RS256", "PS256", "ES256", "EdDSA", "HS256");
  private static final List<String> KEY_ENCRYPTION = List.of("RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A256KW");
  private static final List<String> CONTENT_ENCRYPTION =
      List.of("A128GCM", "A256GCM", "A128CBC-HS256");

  /** The endpoints for programs only, which may be called with a client certificate (RFC 8705, section 5). */
  private static final List<String> WITH_CERTIFICATE =
      List.of(
          "token_endpoint", "revocation_endpoint", "introspection_endpoint", "userinfo_endpoint",
          "device_authorization_endpoint", "pushed_authorization_request_endpoint");

  private final RealmRequest request;
  private final OAuthConfig config;
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ProviderMetadata(RealmRequest request) {
    this.request = request;
    this.config = request.idp().oauth();
  }

  static Map<String, Object> of(RealmRequest request) {
    ProviderMetadata metadata = new ProviderMetadata(request);
    metadata.endpoints();
    metadata.flows();
    metadata.clients();
    metadata.tokens();
    metadata.people();
    metadata.logout();
    metadata.certificates();
    return metadata.members;
  }

  private void endpoints() {
    members.put("issuer", request.entityId());
    at("authorization_endpoint", "oauth/authorize");
    at("token_endpoint", "oauth/token");
    at("userinfo_endpoint", "oauth/userinfo");
    at("jwks_uri", JwksEndpoint.PATH);
    at("introspection_endpoint", "oauth/introspect");
    at("revocation_endpoint", "oauth/revoke");
    at("device_authorization_endpoint", "oauth/device_authorization");
    at("pushed_authorization_request_endpoint", "oauth/par");
    at("end_session_endpoint", EndSessionEndpoint.PATH);
    at("check_session_iframe", CheckSessionEndpoint.PATH);
    if (config.registration() != Registration.CLOSED) {
      at("registration_endpoint", "connect/register");
    }
  }

  private void flows() {
    List<String> responses = new ArrayList<>(List.of("code"));
    List<String> grants =
        new ArrayList<>(
            List.of(
                "authorization_code", "refresh_token", "client_credentials",
                "urn:ietf:params:oauth:grant-type:device_code"));
    boolean hybrid = isOn(GrantType.HYBRID);
    boolean implicit = isOn(GrantType.IMPLICIT);
    if (implicit) {
      responses.addAll(List.of("id_token", "id_token token", "token"));
    }
    if (hybrid) {
      responses.addAll(List.of("code id_token", "code token", "code id_token token"));
    }
    if (implicit || hybrid) {
      grants.add("implicit");
    }
    if (isConfigured(GrantType.PASSWORD)) {
      grants.add("password");
    }
    members.put("response_types_supported", responses);
    members.put("response_modes_supported", List.of("query", "fragment", "form_post"));
    members.put("grant_types_supported", grants);
    members.put("code_challenge_methods_supported", List.of("S256"));
    members.put("authorization_response_iss_parameter_supported", true);
    members.put("require_pushed_authorization_requests", false);
    members.put("request_parameter_supported", true);
    members.put("request_uri_parameter_supported", true);
    members.put("require_request_uri_registration", true);
    members.put("request_object_signing_alg_values_supported", CLIENTS_SIGNING);
    members.put("claims_parameter_supported", true);
    members.put("dpop_signing_alg_values_supported", SIGNING);
  }

  /** Returns whether a client uses the grant, or could register for it. */
  private boolean isOn(GrantType grant) {
    return isConfigured(grant) || config.registration() != Registration.CLOSED;
  }

  private boolean isConfigured(GrantType grant) {
    return request.realm().parties().clients().stream().anyMatch(client -> client.permissions().grants().contains(grant));
  }

  private void clients() {
    List<String> methods =
        Arrays.stream(Method.values())
            .filter(method -> config.certificateUrl().isPresent() || !byCertificate(method))
            .map(Method::value)
            .toList();
    List<String> withoutPublic = methods.stream().filter(method -> !method.equals(Method.NONE.value())).toList();
    members.put("token_endpoint_auth_methods_supported", methods);
    members.put("token_endpoint_auth_signing_alg_values_supported", CLIENTS_SIGNING);
    members.put("introspection_endpoint_auth_methods_supported", withoutPublic);
    members.put("introspection_endpoint_auth_signing_alg_values_supported", CLIENTS_SIGNING);
    members.put("revocation_endpoint_auth_methods_supported", methods);
    members.put("revocation_endpoint_auth_signing_alg_values_supported", CLIENTS_SIGNING);
  }

  private static boolean byCertificate(Method method) {
    return method == Method.TLS || method == Method.SELF_SIGNED_TLS;
  }

  private void tokens() {
    members.put("subject_types_supported", List.of("public", "pairwise"));
    members.put("id_token_signing_alg_values_supported", SIGNING);
    members.put("id_token_encryption_alg_values_supported", KEY_ENCRYPTION);
    members.put("id_token_encryption_enc_values_supported", CONTENT_ENCRYPTION);
    members.put("userinfo_signing_alg_values_supported", SIGNING);
    members.put("userinfo_encryption_alg_values_supported", KEY_ENCRYPTION);
    members.put("userinfo_encryption_enc_values_supported", CONTENT_ENCRYPTION);
  }

  private void people() {
    Set<String> scopes = new LinkedHashSet<>(StandardScopes.ALL);
    scopes.addAll(new TreeSet<>(config.scopes().keySet()));
    members.put("scopes_supported", List.copyOf(scopes));
    members.put("claim_types_supported", List.of("normal"));
    Set<String> claims =
        new LinkedHashSet<>(List.of("iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "sid"));
    claims.addAll(new TreeSet<>(config.claims().keySet()));
    members.put("claims_supported", List.copyOf(claims));
    List<String> classes = levels().flatMap(level -> level.classRefs().stream()).toList();
    members.put("acr_values_supported", Stream.concat(shortNames(classes), classes.stream()).toList());
    members.put("prompt_values_supported", List.of("none", "login", "consent", "select_account"));
    members.put("ui_locales_supported", List.of("en", "de"));
  }

  /** The short names for classes that some login here can achieve. */
  private static Stream<String> shortNames(List<String> classes) {
    return AuthnContexts.SHORT_NAMES.entrySet().stream()
        .filter(name -> name.getValue().stream().anyMatch(classes::contains))
        .map(Map.Entry::getKey)
        .sorted();
  }

  /** The levels that some login here can achieve. */
  private Stream<AuthnLevel> levels() {
    ContractsConfig contracts = request.idp().contracts();
    return Arrays.stream(AuthnLevel.values())
        .filter(
            level ->
                switch (level) {
                  case UNSPECIFIED, PASSWORD, PROTECTED_PASSWORD -> true;
                  case CERTIFICATE -> contracts.certificate().isPresent();
                  case TOKEN -> contracts.token().isPresent();
                  case SECOND_FACTOR -> contracts.secondFactor() != SecondFactor.OFF || contracts.token().isPresent();
                  case PASSKEY -> contracts.passkeys().isPresent();
                });
  }

  private void logout() {
    members.put("frontchannel_logout_supported", true);
    members.put("frontchannel_logout_session_supported", true);
    members.put("backchannel_logout_supported", true);
    members.put("backchannel_logout_session_supported", true);
  }

  private void certificates() {
    if (config.certificateUrl().isEmpty()) {
      return;
    }
    members.put("tls_client_certificate_bound_access_tokens", true);
    Map<String, String> aliases = new LinkedHashMap<>();
    for (String endpoint : WITH_CERTIFICATE) {
      String usual = String.valueOf(members.get(endpoint));
      aliases.put(endpoint, config.certificateUrl().get() + usual.substring(request.idp().publicUrl().toString().length()));
    }
    members.put("mtls_endpoint_aliases", aliases);
  }

  private void at(String member, String path) {
    members.put(member, request.location(path));
  }
}
