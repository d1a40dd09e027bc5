package dev.gatehouse.gateway.policy;

import java.util.List;

/** Why a route decided as it did, rendered when an administrator asks. @param rules all that were looked at */
public record Explanation(Decision decision, List<RuleLooked> rules) {

  /** One rule. @param denies else it permits */
  public record RuleLooked(String policy, String rule, boolean denies, List<ConditionLooked> conditions) {

    /** Whether it counted. */
    public boolean held() {
      return conditions.stream().allMatch(ConditionLooked::held);
    }
  }

  /** One condition. @param failure why it has no value, where it has none */
  public record ConditionLooked(String text, boolean held, String failure) {}
}
