package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.expression.ExpressionFailed;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.gateway.policy.Explanation.ConditionLooked;
import dev.gatehouse.gateway.policy.Explanation.RuleLooked;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of one route: those of its policies, which many routes may share, with traces of its own. */
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

  /** Made once for each rule that ever decided. */
  Trace trace(CompiledRule rule) {
    Trace known = traces[rule.place()];
    if (known != null) {
      return known;
    }
    // Two threads may make it at once: both are the same, and a record is whole wherever it is seen.
    Trace made = new Trace(realm, route, rule.policy(), rule.rule().name());
    traces[rule.place()] = made;
    return made;
  }

  /** What each rule would say, with each of its conditions: the very ones that decide. */
  List<RuleLooked> explain(SubjectAttributes who, RequestAttributes facts) {
    List<RuleLooked> looked = new ArrayList<>();
    for (CompiledRule rule : rules.rules()) {
      List<ConditionLooked> conditions = new ArrayList<>();
      for (Condition condition : rule.rule().conditions()) {
        conditions.add(look(condition, who, facts));
      }
      looked.add(new RuleLooked(rule.policy(), rule.rule().name(), rule.denies(), List.copyOf(conditions)));
    }
    return List.copyOf(looked);
  }

  private static ConditionLooked look(Condition condition, SubjectAttributes who, RequestAttributes facts) {
    try {
      boolean held = Conditions.holds(condition, who, facts);
      return new ConditionLooked(Conditions.text(condition), held, "");
    } catch (ExpressionFailed e) {
      return new ConditionLooked(Conditions.text(condition), false, String.valueOf(e.getMessage()));
    }
  }
}
