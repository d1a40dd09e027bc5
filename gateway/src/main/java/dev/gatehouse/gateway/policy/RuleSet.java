package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.expression.ExpressionFailed;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The compiled rules of all policies of a route. For one person only the rules are evaluated that the {@link RuleIndex}
 * finds by the person's roles, groups, name or attributes; and of these only the conditions on the request are
 * evaluated more than once.
 */
final class RuleSet {

  /** The result of the rules for one request. */
  sealed interface Verdict {
    record Permits(CompiledRule rule) implements Verdict {}

    record Denies(CompiledRule rule) implements Verdict {}

    /** The rule's expression failed, so its result is unknown. */
    record Fails(CompiledRule rule, String message) implements Verdict {}

    record NothingPermits() implements Verdict {}
  }

  /** The result of the rules for one person. */
  interface PerPerson {
    Verdict verdict(RequestAttributes request);

    /** Returns whether it is the same for every request. */
    boolean settled();
  }

  private static final Verdict NOTHING_PERMITS = new Verdict.NothingPermits();

  private final List<CompiledRule> rules;
  private final RuleIndex index;
  private final List<String> contexts;

  RuleSet(List<PolicyConfig> policies) {
    List<CompiledRule> compiled = new ArrayList<>();
    for (PolicyConfig policy : policies) {
      for (Rule rule : policy.rules()) {
        compiled.add(CompiledRule.of(compiled.size(), policy.name(), rule));
      }
    }
    this.rules = List.copyOf(compiled);
    this.index = new RuleIndex(rules);
    this.contexts = rules.stream().filter(rule -> !rule.denies()).flatMap(RuleSet::contexts).distinct().toList();
  }

  private static Stream<String> contexts(CompiledRule rule) {
    return rule.rule().conditions().stream()
        .flatMap(c -> c instanceof Condition.Login(List<String> refs) ? refs.stream() : Stream.of());
  }

  /** All rules, in the order of the configuration. */
  List<CompiledRule> rules() {
    return rules;
  }

  /**
   * The authentication contexts that permitting rules require; only a login with one of them can turn a denial into a
   * permission.
   */
  List<String> contexts() {
    return contexts;
  }

  /** Evaluates the conditions that are the same for every request of that person. */
  PerPerson of(SubjectAttributes who) {
    Evaluation evaluation = new Evaluation(who);
    int[] positions = index.places(who);
    for (int place : positions) {
      evaluation.add(rules.get(place));
    }
    return evaluation.done();
  }

  private static final class Evaluation {
    private final SubjectAttributes who;
    private final List<CompiledRule> waiting = new ArrayList<>(0);
    private Optional<Verdict> denied = Optional.empty();
    private Optional<Verdict> failed = Optional.empty();
    private Optional<Verdict> permitted = Optional.empty();

    Evaluation(SubjectAttributes who) {
      this.who = who;
    }

    void add(CompiledRule rule) {
      try {
        if (!CompiledRule.hold(rule.fixed(), who, UnknownRequestAttributes.YET)) {
          return;
        }
      } catch (ExpressionFailed e) {
        failed = failed.or(() -> Optional.of(new Verdict.Fails(rule, String.valueOf(e.getMessage()))));
        return;
      }
      if (rule.asksRequest()) {
        waiting.add(rule);
      } else if (rule.denies()) {
        denied = denied.or(() -> Optional.of(new Verdict.Denies(rule)));
      } else {
        permitted = permitted.or(() -> Optional.of(new Verdict.Permits(rule)));
      }
    }

    /** A denial takes precedence over a failure, which takes precedence over a permission. */
    PerPerson done() {
      if (denied.isPresent()) {
        return new Settled(denied.get());
      }
      boolean moot = waiting.stream().noneMatch(CompiledRule::denies);
      if (failed.isPresent() && moot) {
        return new Settled(failed.get());
      }
      // If the person is already permitted, only rules that can still deny or fail must be evaluated.
      List<CompiledRule> asked =
          permitted.isPresent() || failed.isPresent()
              ? waiting.stream().filter(rule -> rule.denies() || rule.hasExpression()).toList()
              : List.copyOf(waiting);
      if (asked.isEmpty()) {
        return new Settled(permitted.orElse(NOTHING_PERMITS));
      }
      return new Waiting(who, asked, failed, permitted);
    }
  }

  private record Settled(Verdict always) implements PerPerson {
    @Override
    public Verdict verdict(RequestAttributes request) {
      return always;
    }

    @Override
    public boolean settled() {
      return true;
    }
  }

  private record Waiting(
      SubjectAttributes who, List<CompiledRule> rules, Optional<Verdict> failedBefore, Optional<Verdict> permittedBefore)
      implements PerPerson {
    @Override
    public Verdict verdict(RequestAttributes request) {
      Optional<Verdict> failed = failedBefore;
      Optional<Verdict> permitted = permittedBefore;
      for (CompiledRule rule : rules) {
        if (!rule.denies() && permitted.isPresent() && !rule.hasExpression()) {
          continue;
        }
        try {
          if (!CompiledRule.hold(rule.perRequest(), who, request)) {
            continue;
          }
        } catch (ExpressionFailed e) {
          failed = failed.or(() -> Optional.of(new Verdict.Fails(rule, String.valueOf(e.getMessage()))));
          continue;
        }
        if (rule.denies()) {
          return new Verdict.Denies(rule);
        }
        permitted = permitted.or(() -> Optional.of(new Verdict.Permits(rule)));
      }
      return failed.isPresent() ? failed.get() : permitted.orElse(NOTHING_PERMITS);
    }

    @Override
    public boolean settled() {
      return false;
    }
  }
}
