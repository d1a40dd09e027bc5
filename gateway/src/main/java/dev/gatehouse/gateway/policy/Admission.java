package dev.gatehouse.gateway.policy;

import dev.gatehouse.gateway.policy.RuleSet.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The result of a route's policies and login requirements for a subject. A person whose login is too weak is asked for
 * a stronger one only if that would admit the person.
 */
sealed interface Admission {

  record Admitted(Trace trace) implements Admission {}

  /** A login with one of these authentication contexts would be admitted. */
  record TooWeak(List<String> authnContext, Trace trace) implements Admission {}

  /** The partial decision for a person's admission. */
  static PartialDecision partialDecision(PerPerson admission, Function<Trace, Decision> admitted) {
    return admission
        .settled()
        .map(always -> PartialDecision.always(always.decision(admitted)))
        .orElse(request -> admission.decide(request).decision(admitted));
  }

  record Refused(Reason reason, Trace trace) implements Admission {}

  /** The admission of one person, as far as it does not depend on the request. */
  interface PerPerson {
    Admission decide(RequestAttributes request);

    /** Present if it is the same for every request. */
    default Optional<Admission> settled() {
      return Optional.empty();
    }
  }

  /** The same admission for every request. */
  record Always(Admission admission) implements PerPerson {
    @Override
    public Admission decide(RequestAttributes request) {
      return admission;
    }

    @Override
    public Optional<Admission> settled() {
      return Optional.of(admission);
    }
  }

  /**
   * @param needed authentication contexts, one of which is required; empty if any login suffices
   * @param access the trace of the check before the policies
   */
  static PerPerson of(Optional<RouteRules> rules, SubjectAttributes who, List<String> needed, Trace access) {
    boolean strongEnough = needed.isEmpty() || who.authnContext().filter(needed::contains).isPresent();
    if (rules.isEmpty()) {
      return new Always(strongEnough ? new Admitted(access) : new TooWeak(needed, access));
    }
    RouteRules asked = rules.get();
    RuleSet.PerPerson now = asked.rules().of(who);
    List<String> stronger = needed.isEmpty() ? asked.rules().contexts() : needed;
    boolean settled = now.settled() && strongEnough && now.verdict(UnknownRequestAttributes.YET) instanceof Verdict.Permits;
    if (settled || now.settled() && stronger.isEmpty()) {
      return new Always(decide(asked, now.verdict(UnknownRequestAttributes.YET), who, strongEnough, stronger, UnknownRequestAttributes.YET));
    }
    return request -> decide(asked, now.verdict(request), who, strongEnough, stronger, request);
  }

  private static Admission decide(
      RouteRules asked, Verdict now, SubjectAttributes who, boolean strongEnough, List<String> stronger, RequestAttributes request) {
    if (strongEnough && now instanceof Verdict.Permits(CompiledRule rule)) {
      return new Admitted(asked.trace(rule));
    }
    List<String> enough =
        stronger.stream()
            .filter(classRef -> asked.rules().of(who.with(classRef)).verdict(request) instanceof Verdict.Permits)
            .toList();
    if (!enough.isEmpty()) {
      return new TooWeak(enough, trace(asked, now));
    }
    return new Refused(
        switch (now) {
          case Verdict.Denies denies -> Reason.POLICY_DENIED;
          case Verdict.Fails fails -> Reason.EXPRESSION_FAILED;
          case Verdict.NothingPermits nothing -> Reason.NO_RULE_PERMITS;
          case Verdict.Permits permits -> Reason.NO_RULE_PERMITS;
        },
        trace(asked, now));
  }

  /** The decision for a person with a session. */
  default Decision decision(Function<Trace, Decision> admitted) {
    return switch (this) {
      case Admitted(Trace trace) -> admitted.apply(trace);
      case TooWeak(List<String> authnContext, Trace trace) ->
          new Decision.Challenge(new AuthnRequirement.StepUp(authnContext), trace);
      case Refused(Reason reason, Trace trace) -> new Decision.Deny(Set.of(reason), trace);
    };
  }

  private static Trace trace(RouteRules asked, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Permits(CompiledRule rule) -> asked.trace(rule);
      case Verdict.Denies(CompiledRule rule) -> asked.trace(rule);
      case Verdict.Fails(CompiledRule rule, String message) -> asked.trace(rule);
      case Verdict.NothingPermits nothing -> asked.nothingPermits();
    };
  }
}
