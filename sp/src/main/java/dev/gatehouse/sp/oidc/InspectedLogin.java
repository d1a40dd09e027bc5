package dev.gatehouse.sp.oidc;

import dev.gatehouse.sp.idtoken.ClaimVerdict;
import dev.gatehouse.sp.idtoken.IdTokenResult;
import dev.gatehouse.sp.idtoken.OpenIdRefusal;
import dev.gatehouse.sp.session.LocalAccount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of all steps of a test login at an OpenID provider.
 *
 * @param results in the order in which they ran
 * @param steps what was sent and received, without secrets
 * @param claims all values that the provider states about the person
 * @param account empty if a check failed
 * @param answer what can be checked again; empty if there was no ID token
 */
public record InspectedLogin(
    List<IdTokenResult> results,
    List<Step> steps,
    List<ClaimVerdict> claims,
    Optional<LocalAccount> account,
    Optional<OpenIdAnswer> answer) {

  /**
   * A step.
   *
   * @param name {@code discovery}, {@code authorization-request}, {@code authorization-response}, {@code token-response}, {@code
   *     id-token-header}, {@code id-token-claims} or {@code user-info}
   * @param facts names and texts; secrets are replaced
   */
  public record Step(String name, Map<String, String> facts) {}

  /** Collects the steps and results while they happen. */
  static final class Trail {
    /** Longer texts are cut. */
    private static final int LONGEST = 500;

    private final List<IdTokenResult> results = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private List<ClaimVerdict> claims = List.of();
    private Optional<OpenIdAnswer> answer = Optional.empty();

    void step(String name, Map<String, ?> facts) {
      Map<String, String> texts = new LinkedHashMap<>();
      facts.forEach((fact, value) -> texts.put(cut(fact), cut(String.valueOf(value))));
      steps.add(new Step(name, texts));
    }

    private static String cut(String text) {
      return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }

    void result(String name, Optional<OpenIdRefusal> refusal) {
      results.add(new IdTokenResult(name, refusal));
    }

    void claims(List<ClaimVerdict> verdicts) {
      claims = verdicts;
    }

    void answer(OpenIdAnswer received) {
      answer = Optional.of(received);
    }

    boolean isPassed() {
      return results.stream().allMatch(result -> result.refusal().isEmpty());
    }

    InspectedLogin end(Optional<LocalAccount> account) {
      return new InspectedLogin(List.copyOf(results), List.copyOf(steps), claims, account, answer);
    }
  }
}
