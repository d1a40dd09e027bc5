package dev.gatehouse.sp.inspection;

import dev.gatehouse.common.saml.AttributeName;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What was found in the answer to a test login.
 *
 * @param checks in the order in which they ran; the first is {@code message} for SAML, {@code discovery} for OpenID
 * @param values each value that the answer states
 * @param account what the identity means here; empty if a check failed
 * @param steps what was sent and received, without secrets; empty for SAML, where the message is one step
 */
public record Inspection(List<Check> checks, List<Value> values, Optional<Account> account, List<Step> steps) {

  /** Recordings of the former version have no steps. */
  public Inspection {
    steps = Objects.requireNonNullElse(steps, List.of());
  }

  /** The check that stands for reading the message: transport, schema, issuer, decryption and signature. */
  static final String MESSAGE = "message";

  /**
   * A check.
   *
   * @param name of the rule, for example {@code audience}
   * @param reason why it failed, from a closed list; empty if it passed
   * @param detail what was found
   */
  public record Check(String name, Optional<String> reason, Optional<String> detail) {
    static Check passed(String name, String detail) {
      return new Check(name, Optional.empty(), Optional.of(detail));
    }
  }

  /**
   * A value of an attribute.
   *
   * @param dropped why it does not count, from a closed list; empty if it counts
   */
  public record Value(String attribute, String value, Optional<String> dropped) {}

  /**
   * The meaning of an identity.
   *
   * @param outcome {@code known}, {@code linked-at-login}, {@code login-needed} or {@code refused}
   * @param name the local user name, if it is known
   * @param problem why it is refused
   */
  public record Account(String outcome, Optional<String> name, Optional<String> problem) {}

  /**
   * A step of a login at an OpenID provider.
   *
   * @param name {@code discovery}, {@code authorization-request}, {@code authorization-response}, {@code token-response}, {@code
   *     id-token-header}, {@code id-token-claims} or {@code user-info}
   * @param facts names and texts; secrets are replaced
   */
  public record Step(String name, Map<String, String> facts) {}

  /** Returns whether the answer brought the person's password, which is not to be recorded. */
  boolean hasPassword() {
    return values.stream().anyMatch(value -> value.attribute().equals(AttributeName.LOGIN_PASSWORD));
  }

  /** Returns whether all checks passed and the identity means an account. */
  public boolean isPassed() {
    return checks.stream().allMatch(check -> check.reason().isEmpty())
        && account.filter(found -> found.problem().isEmpty()).isPresent();
  }
}
