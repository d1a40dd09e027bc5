package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.expression.ExpressionFailed;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Effect;
import dev.gatehouse.common.realm.PolicyConfig.Rule;
import java.util.List;

/**
 * One rule. Its conditions are divided into those that are the same for every request of a person, and the rest. Its
 * expression is evaluated last, and only if all other conditions hold.
 *
 * @param place position among the rules of its set
 * @param fixed the same for every request
 * @param perRequest in the order of their cost
 */
record CompiledRule(int place, String policy, Rule rule, List<Condition> fixed, List<Condition> perRequest) {

  static CompiledRule of(int place, String policy, Rule rule) {
    List<Condition> fixed = rule.conditions().stream().filter(c -> !Conditions.asksRequest(c)).toList();
    List<Condition> perRequest = rule.conditions().stream().filter(Conditions::asksRequest).toList();
    boolean plainPerRequest = perRequest.stream().anyMatch(c -> !(c instanceof Condition.When));
    if (plainPerRequest) {
      // A failing expression counts only if all other conditions hold, so it must be evaluated with the request.
      List<Condition> waiting = fixed.stream().filter(Condition.When.class::isInstance).toList();
      fixed = fixed.stream().filter(c -> !(c instanceof Condition.When)).toList();
      perRequest = concat(perRequest, waiting);
    }
    return new CompiledRule(place, policy, rule, expressionsLast(fixed), expressionsLast(perRequest));
  }

  private static List<Condition> expressionsLast(List<Condition> conditions) {
    return concat(
        conditions.stream().filter(c -> !(c instanceof Condition.When)).toList(),
        conditions.stream().filter(Condition.When.class::isInstance).toList());
  }

  private static List<Condition> concat(List<Condition> first, List<Condition> second) {
    return java.util.stream.Stream.concat(first.stream(), second.stream()).toList();
  }

  boolean denies() {
    return rule.effect() == Effect.DENY;
  }

  boolean asksRequest() {
    return !perRequest.isEmpty();
  }

  boolean hasExpression() {
    return rule.conditions().stream().anyMatch(Condition.When.class::isInstance);
  }

  /** Returns whether all conditions of the list hold. */
  static boolean hold(List<Condition> conditions, SubjectAttributes who, RequestAttributes request) throws ExpressionFailed {
    for (int i = 0; i < conditions.size(); i++) {
      if (!Conditions.holds(conditions.get(i), who, request)) {
        return false;
      }
    }
    return true;
  }
}
