package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.saml.SamlMessage.RequestedAuthnContext;
import dev.gatehouse.idp.authn.AuthnContexts;
import dev.gatehouse.idp.authn.AuthnLevel;
import java.util.List;
import java.util.Optional;

/**
 * The Authentication Context Class References that a client wants, the best first (OpenID Connect Core 3.1.2.1): those of SAML,
 * by the same names, or short ones of ours.
 *
 * @param essential whether nothing else will do (5.5.1.1); else they are a wish, and the ID token says what it came to
 */
record AcrValues(List<String> values, boolean essential) {

  static final AcrValues NONE = new AcrValues(List.of(), false);

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
    List<String> ours = AuthnContexts.SHORT_NAMES.get(value);
    if (ours != null) {
      return ours;
    }
    return AuthnLevel.of(value).isPresent() ? List.of(value) : List.of();
  }
}
