package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.saml.SamlMessage.RequestedAuthnContext;
import dev.gatehouse.idp.authn.AuthnContexts;
import dev.gatehouse.idp.authn.AuthnLevel;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Authentication Context Class References that a client wants, the best first (OpenID Connect Core 3.1.2.1): those of SAML,
 * by the same names, or short ones of ours.
 *
 * @param essential whether nothing else will do (5.5.1.1); else they are a wish, and the ID token says what it came to
 */
record AcrValues(List<String> values, boolean essential) {

  static final AcrValues NONE = new AcrValues(List.of(), false);

  /** For people who write requests by hand. */
  static final Map<String, List<String>> SHORT =
      Map.of(
          "password", List.of(AuthnContexts.PASSWORD_PROTECTED_TRANSPORT, AuthnContexts.PASSWORD),
          "certificate", List.of(AuthnContexts.TLS_CLIENT),
          "mfa", List.of(AuthnContexts.REFEDS_MFA));

  AcrValues {
    values = List.copyOf(values);
  }

  /** What must be earned; empty where anything will do. */
  Optional<RequestedAuthnContext> requested() {
    List<String> refs = values.stream().flatMap(value -> classRefs(value).stream()).toList();
    if (refs.isEmpty()) {
      // Values that nobody knows cannot be earned; the empty list never is.
      return essential && !values.isEmpty()
          ? Optional.of(RequestedAuthnContext.classes("exact", values))
          : Optional.empty();
    }
    return Optional.of(RequestedAuthnContext.classes("exact", refs));
  }

  /** What to call a class that was earned: as the client does. */
  String answer(String classRef) {
    return values.stream().filter(value -> classRefs(value).contains(classRef)).findFirst().orElse(classRef);
  }

  private static List<String> classRefs(String value) {
    List<String> ours = SHORT.get(value);
    if (ours != null) {
      return ours;
    }
    return AuthnLevel.of(value).isPresent() ? List.of(value) : List.of();
  }
}
