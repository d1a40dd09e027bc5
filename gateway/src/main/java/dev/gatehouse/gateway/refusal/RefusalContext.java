package dev.gatehouse.gateway.refusal;

import dev.gatehouse.common.refusal.RefusalTrace;
import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Explanation.ConditionResult;
import dev.gatehouse.gateway.policy.Explanation.RuleResult;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.policy.Trace;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.sp.session.AppSession;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What is known of a refused request for its trace: who asked, and what the route's rule decided. The rules are asked again only when
 * the trace is written, which does not happen on the event loop.
 */
public record RefusalContext(Subject subject, Optional<Decision> decision, Supplier<List<RuleResult>> rules) {

  /** Nothing was decided. */
  public static final RefusalContext NONE = new RefusalContext(Subject.ANONYMOUS, Optional.empty(), List::of);

  /** The context of a request that its route's rule denied. */
  public static RefusalContext denied(Decision.Deny deny, Subject subject, Route route, RequestAttributes request) {
    return new RefusalContext(subject, Optional.of(deny), () -> route.rule().explain(subject, request).rules());
  }

  /** The context of a request that its route's rule permitted, and that failed later. */
  public static RefusalContext permitted(PermittedRequest request) {
    return new RefusalContext(request.permit().subject(), Optional.of(request.permit()), List::of);
  }

  /** @param person as the caller knows the person, or {@code -} */
  Optional<RefusalTrace.Subject> subject(String person) {
    return switch (subject) {
      case Subject.Person(AppSession session) ->
          Optional.of(
              new RefusalTrace.Subject(
                  session.person().value(), session.account().user(), session.id().value(), session.login().identityProvider(),
                  session.account().roles(), session.login().authnContextClassRef()));
      case Subject.Holder(TokenHolder holder) ->
          Optional.of(
              new RefusalTrace.Subject(
                  holder.person(), holder.account().user(), "", holder.issuer(), holder.account().roles(), holder.acr()));
      case Subject.Anonymous anonymous ->
          person.equals(Refusals.NOBODY)
              ? Optional.empty()
              : Optional.of(new RefusalTrace.Subject(person, "", "", "", List.of(), Optional.empty()));
    };
  }

  Optional<RefusalTrace.Decided> decided() {
    return decision.map(
        known ->
            switch (known) {
              case Decision.Permit(Subject who, HeaderEdits edits, Trace trace) ->
                  decided("permit", trace, edits.edits().stream().map(HeaderEdits.Edit::name).toList());
              case Decision.Challenge challenge -> decided("challenge", challenge.trace(), List.of());
              case Decision.Deny deny -> decided("deny", deny.trace(), List.of());
            });
  }

  private RefusalTrace.Decided decided(String result, Trace trace, List<String> headers) {
    List<RefusalTrace.Rule> asked = rules.get().stream().limit(100).map(RefusalContext::rule).toList();
    return new RefusalTrace.Decided(result, trace.policy(), trace.rule(), asked, headers);
  }

  private static RefusalTrace.Rule rule(RuleResult rule) {
    List<String> conditions = rule.conditions().stream().map(RefusalContext::text).toList();
    return new RefusalTrace.Rule(rule.policy(), rule.rule(), rule.denies() ? "deny" : "permit", rule.held(), conditions);
  }

  private static String text(ConditionResult condition) {
    String failure = condition.failure().isEmpty() ? "" : " (" + condition.failure() + ")";
    return (condition.held() ? "yes: " : "no: ") + condition.text() + failure;
  }
}
