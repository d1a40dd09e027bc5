package dev.gatehouse.gateway.policy;

import java.util.List;

/**
 * The explanation of a decision for an administrator.
 *
 * @param rules all rules that were evaluated
 */
public record Explanation(Decision decision, List<RuleResult> rules) {

  /**
   * The evaluation of one rule.
   *
   * @param denies whether it denies; otherwise it permits
   */
  public record RuleResult(String policy, String rule, boolean denies, List<ConditionResult> conditions) {

    /** Returns whether all conditions hold. */
    public boolean held() {
      return conditions.stream().allMatch(ConditionResult::held);
    }
  }

  /**
   * The evaluation of one condition.
   *
   * @param failure why it has no value; empty if it has one
   */
  public record ConditionResult(String text, boolean held, String failure) {}
}
