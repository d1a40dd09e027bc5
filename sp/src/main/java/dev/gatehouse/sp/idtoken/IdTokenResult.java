package dev.gatehouse.sp.idtoken;

import java.util.Locale;
import java.util.Optional;

/**
 * The result of one rule for an ID token.
 *
 * @param name of the rule, for example {@code audience}
 * @param refusal empty if the rule is satisfied
 */
public record IdTokenResult(String name, Optional<OpenIdRefusal> refusal) {

  /** {@code AudienceCheck} becomes {@code audience}. */
  static IdTokenResult of(IdTokenCheck check, Optional<OpenIdRefusal> refusal) {
    String name = check.getClass().getSimpleName().replaceFirst("Check$", "");
    return new IdTokenResult(name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT), refusal);
  }
}
