package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.expression.ExpressionFailed;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.gateway.policy.Explanation.ConditionResult;
import dev.gatehouse.gateway.policy.Explanation.RuleResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of one route's policies, which many routes may share, with the route's own traces. */
final class RouteRules {

  private final String realm;
  private final String route;
  private final RuleSet rules;
  private final Trace nothingPermits;
  private final @Nullable Trace[] traces;

  RouteRules(String realm, String route, RuleSet rules) {
    this.realm = realm;
    this.route = route;
    this.rules = rules;
    this.traces = new Trace[rules.rules().size()];
    this.nothingPermits = new Trace(realm, route, "-", "no rule permits");
  }

  RuleSet rules() {
    return rules;
  }

  Trace nothingPermits() {
    return nothingPermits;
  }

  /** Created once for each rule that has decided. */
  Trace trace(CompiledRule rule) {
    Trace known = traces[rule.place()];
    if (known != null) {
      return known;
    }
    // Two threads may create it at once: both are equal, and a record is safely published.
    Trace made = new Trace(realm, route, rule.policy(), rule.rule().name());
    traces[rule.place()] = made;
    return made;
  }

  /** The result of each rule and each of its conditions; these are the very conditions that decide. */
  List<RuleResult> explain(SubjectAttributes who, RequestAttributes request) {
    List<RuleResult> results = new ArrayList<>();
    for (CompiledRule rule : rules.rules()) {
      List<ConditionResult> conditions = new ArrayList<>();
      for (Condition condition : rule.rule().conditions()) {
        conditions.add(evaluate(condition, who, request));
      }
      results.add(new RuleResult(rule.policy(), rule.rule().name(), rule.denies(), List.copyOf(conditions)));
    }
    return List.copyOf(results);
  }

  private static ConditionResult evaluate(Condition condition, SubjectAttributes who, RequestAttributes request) {
    try {
      boolean held = Conditions.holds(condition, who, request);
      return new ConditionResult(Conditions.text(condition), held, "");
    } catch (ExpressionFailed e) {
      return new ConditionResult(Conditions.text(condition), false, String.valueOf(e.getMessage()));
    }
  }
}
