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
 * The rules of all policies of a route, compiled. For one person only those rules are looked at that their roles, groups, name or
 * attributes lead to ({@link RuleIndex}), and of these only what depends on the request is looked at more than once.
 */
final class RuleSet {

  /** What the rules say of one request. */
  sealed interface Verdict {
    record Permits(CompiledRule rule) implements Verdict {}

    record Denies(CompiledRule rule) implements Verdict {}

    /** Its expression has no value: nobody knows what it would have said. */
    record Fails(CompiledRule rule, String message) implements Verdict {}

    record NothingPermits() implements Verdict {}
  }

  /** What the rules say of one person. */
  interface PerPerson {
    Verdict verdict(RequestAttributes facts);

    /** Whether it is the same for every request. */
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

  /** All of them, in the order in which they were written. */
  List<CompiledRule> rules() {
    return rules;
  }

  /** What logins some rule wants that permits: nothing else can turn a denial into a permission. */
  List<String> contexts() {
    return contexts;
  }

  /** Looks at whatever is the same for every request of that person. */
  PerPerson of(SubjectAttributes who) {
    Gathering gathering = new Gathering(who);
    int[] places = index.places(who);
    for (int place : places) {
      gathering.add(rules.get(place));
    }
    return gathering.done();
  }

  private static final class Gathering {
    private final SubjectAttributes who;
    private final List<CompiledRule> waiting = new ArrayList<>(0);
    private Optional<Verdict> denied = Optional.empty();
    private Optional<Verdict> failed = Optional.empty();
    private Optional<Verdict> permitted = Optional.empty();

    Gathering(SubjectAttributes who) {
      this.who = who;
    }

    void add(CompiledRule rule) {
      try {
        if (!CompiledRule.hold(rule.fixed(), who, UnknownRequestFacts.YET)) {
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

    /** A denial counts more than a failure, which counts more than a permission. */
    PerPerson done() {
      if (denied.isPresent()) {
        return new Settled(denied.get());
      }
      boolean moot = waiting.stream().noneMatch(CompiledRule::denies);
      if (failed.isPresent() && moot) {
        return new Settled(failed.get());
      }
      // Where somebody may come already, only what can still deny or fail is worth asking.
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
    public Verdict verdict(RequestAttributes facts) {
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
    public Verdict verdict(RequestAttributes facts) {
      Optional<Verdict> failed = failedBefore;
      Optional<Verdict> permitted = permittedBefore;
      for (CompiledRule rule : rules) {
        if (!rule.denies() && permitted.isPresent() && !rule.hasExpression()) {
          continue;
        }
        try {
          if (!CompiledRule.hold(rule.perRequest(), who, facts)) {
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
