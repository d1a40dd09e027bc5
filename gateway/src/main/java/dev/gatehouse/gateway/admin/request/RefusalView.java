package dev.gatehouse.gateway.admin.request;

import dev.gatehouse.common.refusal.RefusalTrace;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A refusal of a request. */
@Schema(name = "Refusal")
public record RefusalView(
    Instant at,
    String realm,
    @Schema(description = "Absent if the endpoint chose it after the refusal was recorded") Optional<Integer> status,
    @Schema(example = "ROLE_MISSING") String reason,
    @Schema(description = "Method, address without query; absent for messages of partners") Optional<String> request,
    @Schema(description = "The client's address") String client,
    @Schema(description = "The route of the request") Optional<String> route,
    @Schema(description = "The refused message and its sender") Optional<MessageView> message,
    @Schema(description = "Absent if nobody was recognised") Optional<PersonView> person,
    Optional<RefusalDecision> outcome) {

  /** A message of a partner. */
  @Schema(name = "RefusedMessage")
  public record MessageView(
      @Schema(example = "Response") String message,
      Optional<String> partner,
      @Schema(description = "Which check failed, and on what") Optional<String> detail,
      Optional<AssertionView> assertion) {}

  /** The assertion in a refused message. */
  @Schema(name = "RefusedAssertion")
  public record AssertionView(
      String issuer,
      String id,
      Instant issueInstant,
      Optional<Instant> notBefore,
      Optional<Instant> notOnOrAfter,
      List<String> audiences,
      @Schema(description = "The request that it answers") Optional<String> inResponseTo,
      Optional<String> authnContext) {}

  /** A refused person. */
  @Schema(name = "RefusedPerson")
  public record PersonView(
      @Schema(description = "The id in the audit log") String person,
      @Schema(description = "The user name that apps see") Optional<String> user,
      @Schema(description = "The id of the session, by which it can be ended") Optional<String> session,
      @Schema(description = "Entity ID or issuer of the provider that logged the person in") Optional<String> provider,
      List<String> roles,
      Optional<String> authnContext) {}

  /** What was decided, and how far the request came. */
  @Schema(name = "RefusalDecision")
  public record RefusalDecision(
      @Schema(allowableValues = {"permit", "challenge", "deny"}) Optional<String> decision,
      @Schema(description = "The policy that decided; absent if the route itself decided") Optional<String> policy,
      Optional<String> rule,
      Optional<List<RuleView>> rules,
      @Schema(description = "Names of the headers that the app got or would have got; values are not kept") Optional<List<String>> headers,
      @Schema(description = "The app's server that answered or failed") Optional<String> server,
      @Schema(description = "Its time in milliseconds") Optional<Long> serverMillis) {}

  /** A rule of the route's policies. */
  @Schema(name = "RefusalRule")
  public record RuleView(
      String policy,
      String rule,
      @Schema(allowableValues = {"permit", "deny"}) String effect,
      boolean held,
      @Schema(description = "Each condition after `yes: ` or `no: `") List<String> conditions) {}

  static RefusalView of(RefusalTrace trace) {
    RefusalTrace.Asked asked = trace.asked();
    return new RefusalView(
        trace.at(),
        trace.realm(),
        Optional.of(trace.refused().status()).filter(status -> status > 0),
        trace.refused().reason(),
        Optional.of(asked.method() + " " + asked.origin() + asked.path()).filter(request -> !asked.origin().isEmpty()),
        asked.client(),
        known(asked.route()),
        message(trace),
        trace.subject().map(RefusalView::person),
        outcome(trace));
  }

  private static Optional<MessageView> message(RefusalTrace trace) {
    RefusalTrace.Refused refused = trace.refused();
    return known(refused.message())
        .map(
            name ->
                new MessageView(
                    name, known(refused.partner()), known(refused.detail()), trace.assertion().map(RefusalView::assertion)));
  }

  private static AssertionView assertion(RefusalTrace.Assertion assertion) {
    return new AssertionView(
        assertion.issuer(), assertion.id(), assertion.issueInstant(), assertion.notBefore(), assertion.notOnOrAfter(),
        assertion.audiences(), assertion.inResponseTo(), assertion.authnContext());
  }

  private static PersonView person(RefusalTrace.Subject subject) {
    return new PersonView(
        subject.person(), known(subject.user()), known(subject.session()), known(subject.provider()), subject.roles(),
        subject.authnContext());
  }

  private static Optional<RefusalDecision> outcome(RefusalTrace trace) {
    if (trace.decision().isEmpty() && trace.upstream().isEmpty()) {
      return Optional.empty();
    }
    Optional<RefusalTrace.Decided> decided = trace.decision();
    return Optional.of(
        new RefusalDecision(
            decided.map(RefusalTrace.Decided::result),
            decided.flatMap(known -> known(known.policy())),
            decided.flatMap(known -> known(known.rule())),
            decided.map(known -> known.rules().stream().map(RefusalView::rule).toList()),
            decided.map(RefusalTrace.Decided::headers),
            trace.upstream().map(RefusalTrace.Upstream::server),
            trace.upstream().map(RefusalTrace.Upstream::millis)));
  }

  private static RuleView rule(RefusalTrace.Rule rule) {
    return new RuleView(rule.policy(), rule.rule(), rule.effect(), rule.held(), rule.conditions());
  }

  private static Optional<String> known(String text) {
    return Optional.of(text).filter(value -> !value.isEmpty() && !value.equals("-"));
  }
}
