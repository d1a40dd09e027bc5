package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.realm.ClientAuthentication.CertificateName;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.OAuthConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The authentication of a client that registers (RFC 7591, section 2; RFC 8705, section 2.1.2). */
record AuthenticationMetadata(Method method, Optional<JwsName> algorithm, Optional<CertificateName> certificate) {

  private static final Map<String, Method> METHODS =
      Stream.of(Method.values()).collect(Collectors.toUnmodifiableMap(Method::value, method -> method));

  private static final Map<String, JwsName> ALGORITHMS =
      Stream.of(JwsName.values()).collect(Collectors.toUnmodifiableMap(JwsName::value, name -> name));

  static AuthenticationMetadata read(MetadataReader in, OAuthConfig oauth) {
    Method method = in.choice("token_endpoint_auth_method", METHODS).orElse(Method.SECRET_BASIC);
    if (!in.has("token_endpoint_auth_method")) {
      in.register("token_endpoint_auth_method", method.value());
    }
    Optional<JwsName> algorithm = in.choice("token_endpoint_auth_signing_alg", ALGORITHMS);
    if (algorithm.filter(name -> (name == JwsName.HS256) != (method == Method.SECRET_JWT)).isPresent()
        && (method == Method.SECRET_JWT || method == Method.PRIVATE_KEY_JWT)) {
      in.wrong("token_endpoint_auth_signing_alg", "does not fit token_endpoint_auth_method");
    }
    List<CertificateName> names =
        Stream.of(CertificateName.Field.values())
            .flatMap(field -> in.text(field.value()).map(value -> new CertificateName(field, value)).stream())
            .toList();
    if (method == Method.TLS && names.size() != 1) {
      in.wrong("tls_client_auth", "needs one of tls_client_auth_subject_dn and its like");
    }
    if (method == Method.TLS && oauth.certificateAuthorities().isEmpty()) {
      in.wrong("tls_client_auth", "is not supported here");
    }
    return new AuthenticationMetadata(method, algorithm, names.stream().findFirst());
  }

  boolean needsKeys() {
    return method == Method.PRIVATE_KEY_JWT || method == Method.SELF_SIGNED_TLS;
  }
}
