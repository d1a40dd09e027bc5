package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.saml.message.SamlMessage.RequestedAuthnContext;
import dev.gatehouse.idp.session.AuthnContexts;
import dev.gatehouse.idp.session.AuthnLevel;
import java.util.List;
import java.util.Optional;

/**
 * The Authentication Context Class References that a client requests, the best first (OpenID Connect Core 3.1.2.1):
 * those of SAML under the same names, or our own short names.
 *
 * @param essential whether no other value is acceptable (5.5.1.1); otherwise they are preferences, and the ID token
 *     states the achieved one
 */
record AcrValues(List<String> values, boolean essential) {

  static final AcrValues NONE = new AcrValues(List.of(), false);

  AcrValues {
    values = List.copyOf(values);
  }

  /** The classes of which the login must have one; empty if any login is acceptable. */
  Optional<RequestedAuthnContext> requested() {
    List<String> refs = values.stream().flatMap(value -> classRefs(value).stream()).toList();
    if (refs.isEmpty()) {
      // Essential values that are all unknown cannot be achieved, so they are passed on as they are; without values
      // there is no requirement.
      return essential && !values.isEmpty()
          ? Optional.of(RequestedAuthnContext.classes("exact", values))
          : Optional.empty();
    }
    return Optional.of(RequestedAuthnContext.classes("exact", refs));
  }

  /** The name of an achieved class, in the client's own terms. */
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
