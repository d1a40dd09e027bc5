package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.ConfigurationControl.Proposal;
import dev.gatehouse.gateway.admin.ConfigurationEndpoint.ProblemView;
import dev.gatehouse.gateway.admin.DecisionQuestion.Answer;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/decisions}: answers whether a request would be permitted, and why not. */
@RestController
@RequestMapping(path = "/admin/v1/decisions", produces = "application/json")
@Tag(name = "decisions", description = "What the gateway would decide, by the very rules that decide")
final class DecisionEndpoint {

  /** A question. */
  @Schema(name = "DecisionRequest")
  record Asked(
      String realm,
      @Schema(example = "https://app.example.org/accounts/7/") String url,
      @Schema(description = "GET where absent") Optional<String> method,
      @Schema(description = "Whom; with session and name absent too, nobody is logged in") Optional<Somebody> person,
      @Schema(description = "The id of one of the gateway's sessions, in place of person") Optional<String> session,
      @Schema(description = "A name in the realm's directory, in place of person") Optional<String> name,
      @Schema(description = "What the login of name earned") Optional<String> authnContext,
      @Schema(description = "The client's address; 127.0.0.1 where absent") Optional<String> client,
      @Schema(description = "Now where absent") Optional<Instant> time,
      @Schema(description = "The realm's file as it might be; as it serves where absent") Optional<String> configuration) {}

  /** A person as a session would describe them. */
  @Schema(name = "DecisionPerson")
  record Somebody(
      String user,
      Optional<List<String>> roles,
      Optional<List<String>> groups,
      Optional<Map<String, List<String>>> attributes,
      @Schema(description = "Entity ID or issuer; the sp's first one where absent") Optional<String> provider,
      @Schema(description = "AuthnContextClassRef or acr of the login") Optional<String> authnContext,
      @Schema(description = "Of the access token, on routes that take one") Optional<List<String>> scopes) {}

  /** The answer. */
  @Schema(name = "Decision")
  record DecisionView(
      @Schema(description = "Absent where the proposed configuration has problems",
          allowableValues = {"permit", "challenge", "deny"}) Optional<String> decision,
      @Schema(description = "Why not; or login, login-anew, step-up") List<String> reasons,
      @Schema(description = "What a login has to earn, on step-up") List<String> authnContext,
      Optional<String> route,
      @Schema(description = "The policy that decided; absent where the route itself did") Optional<String> policy,
      @Schema(description = "The rule that decided") Optional<String> rule,
      @Schema(description = "Every rule of the route's policies") List<RuleView> rules,
      @Schema(description = "Names of the headers that the app would get") List<String> headers,
      @Schema(description = "What is wrong with the proposed configuration") List<ProblemView> problems) {}

  /** One rule. */
  @Schema(name = "DecisionRule")
  record RuleView(
      String policy,
      String rule,
      @Schema(allowableValues = {"permit", "deny"}) String effect,
      @Schema(description = "Whether all its conditions hold") boolean held,
      List<ConditionView> conditions) {}

  /** One condition. */
  @Schema(name = "DecisionCondition")
  record ConditionView(
      @Schema(example = "roles: staff") String condition,
      boolean held,
      @Schema(description = "Why an expression has no value") Optional<String> failure) {}

  private final Realms realms;
  private final ConfigurationControl control;
  private final DecisionSubjects people;
  private final InstantSource time;
  private final AdminAudit audit;

  DecisionEndpoint(
      Realms realms, ConfigurationControl control, DecisionSubjects people, InstantSource time, AdminAudit audit) {
    this.realms = realms;
    this.control = control;
    this.people = people;
    this.time = time;
    this.audit = audit;
  }

  @PostMapping
  @Operation(
      operationId = "decide",
      summary = "Would somebody be let in, and why not? By the configuration that serves, or by a proposed one")
  @ApiResponse(responseCode = "200", description = "What would be decided; nothing was done")
  @ApiResponse(responseCode = "422", description = "The proposed configuration has problems, as they would be reported at load")
  ResponseEntity<DecisionView> decide(
      @RequestBody Asked asked,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    String realm = required(asked.realm(), "realm");
    String url = required(asked.url(), "url");
    audit.record(
        realm,
        administrator,
        "decision.ask",
        Map.of("url", url.replaceFirst("\\?.*", ""), "proposed", String.valueOf(asked.configuration().isPresent())));
    if (asked.configuration().isEmpty()) {
      Realm serving = realms.find(realm).orElseThrow(() -> new NotFound("There is no realm " + realm + "."));
      return ResponseEntity.ok(view(new DecisionQuestion(serving, people, time).answer(asked), Set.of()));
    }
    Proposal proposal = control.propose(realm, asked.configuration().get());
    return proposal
        .realm()
        .map(proposed -> ResponseEntity.ok(view(new DecisionQuestion(proposed, people, time).answer(asked), proposal.hidden())))
        .orElseGet(
            () -> ResponseEntity.status(HttpStatus.UNPROCESSABLE_CONTENT).body(unusable(proposal)));
  }

  /** Jackson passes null for a missing property. */
  private static String required(@Nullable String value, String name) {
    if (value == null || value.isEmpty()) {
      throw new BadRequest("`" + name + "` is missing.");
    }
    return value;
  }

  private static DecisionView unusable(Proposal proposal) {
    return new DecisionView(
        Optional.empty(), List.of(), List.of(), Optional.empty(), Optional.empty(), Optional.empty(), List.of(), List.of(),
        proposal.problems().stream().map(ProblemView::of).toList());
  }

  /** @param hidden values of the node's environment, which a proposed text could reference to read them */
  private static DecisionView view(Answer answer, Set<String> hidden) {
    return new DecisionView(
        Optional.of(answer.decision()),
        answer.reasons(),
        answer.authnContext().stream().map(text -> shown(text, hidden)).toList(),
        answer.trace().map(trace -> shown(trace.route(), hidden)),
        answer.trace().filter(trace -> !trace.policy().equals("-")).map(trace -> shown(trace.policy(), hidden)),
        answer.trace().map(trace -> shown(trace.rule(), hidden)),
        answer.rules().stream()
            .map(
                rule ->
                    new RuleView(
                        shown(rule.policy(), hidden),
                        shown(rule.rule(), hidden),
                        rule.denies() ? "deny" : "permit",
                        rule.held(),
                        rule.conditions().stream()
                            .map(
                                c ->
                                    new ConditionView(
                                        shown(c.text(), hidden),
                                        c.held(),
                                        Optional.of(shown(c.failure(), hidden)).filter(f -> !f.isEmpty())))
                            .toList()))
            .toList(),
        answer.headers().stream().map(text -> shown(text, hidden)).toList(),
        List.of());
  }

  private static String shown(String text, Set<String> hidden) {
    String shown = text;
    for (String value : hidden) {
      shown = value.isEmpty() ? shown : shown.replace(value, "${…}");
    }
    return shown;
  }
}
