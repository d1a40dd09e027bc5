package dev.gatehouse.gateway.admin.decision;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl.Proposal;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import dev.gatehouse.gateway.admin.decision.DecisionQuestion.Answer;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
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
@Tag(name = "decisions", description = "Access decisions of the gateway, evaluated by the rules in use")
public final class DecisionEndpoint {

  /** A question. */
  @Schema(name = "DecisionRequest")
  public record DecisionRequest(
      String realm,
      @Schema(example = "https://app.example.org/accounts/7/") String url,
      @Schema(description = "Default: GET") Optional<String> method,
      @Schema(description = "The person; without person, session and name, the request is anonymous") Optional<DecisionPerson> person,
      @Schema(description = "The id of one of the gateway's sessions, in place of person") Optional<String> session,
      @Schema(description = "A name in the realm's directory, in place of person") Optional<String> name,
      @Schema(description = "The authentication context of that person's login") Optional<String> authnContext,
      @Schema(description = "The client's address; default: 127.0.0.1") Optional<String> client,
      @Schema(description = "Default: now") Optional<Instant> time,
      @Schema(description = "A proposed content of the realm's file, for the role admin; default: the configuration in use")
           Optional<String> configuration) {}

  /** A person as a session would describe them. */
  @Schema(name = "DecisionPerson")
  public record DecisionPerson(
      String user,
      Optional<List<String>> roles,
      Optional<List<String>> groups,
      Optional<Map<String, List<String>>> attributes,
      @Schema(description = "Entity ID or issuer; default: the first one of the service provider") Optional<String> provider,
      @Schema(description = "AuthnContextClassRef or acr of the login") Optional<String> authnContext,
      @Schema(description = "Of the access token, on routes that take one") Optional<List<String>> scopes) {}

  /** The answer. */
  @Schema(name = "Decision")
  public record DecisionView(
      @Schema(description = "Absent if the proposed configuration has problems",
          allowableValues = {"permit", "challenge", "deny"}) Optional<String> decision,
      @Schema(description = "The reasons of a denial; or login, login-anew, step-up") List<String> reasons,
      @Schema(description = "The authentication contexts that step-up requires") List<String> authnContext,
      Optional<String> route,
      @Schema(description = "The policy that decided; absent if the route itself decided") Optional<String> policy,
      @Schema(description = "The rule that decided") Optional<String> rule,
      @Schema(description = "Every rule of the route's policies") List<RuleView> rules,
      @Schema(description = "Names of the headers that the app would get") List<String> headers,
      @Schema(description = "The problems of the proposed configuration") List<ProblemView> problems) {}

  /** One rule. */
  @Schema(name = "DecisionRule")
  public record RuleView(
      String policy,
      String rule,
      @Schema(allowableValues = {"permit", "deny"}) String effect,
      @Schema(description = "Whether all its conditions hold") boolean held,
      List<ConditionView> conditions) {}

  /** One condition. */
  @Schema(name = "DecisionCondition")
  public record ConditionView(
      @Schema(example = "roles: staff") String condition,
      boolean held,
      @Schema(description = "The reason why an expression has no value") Optional<String> failure) {}

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
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  @Operation(
      operationId = "decide",
      summary = "Evaluate an access decision and its reasons, by the configuration in use or by a proposed one")
  @ApiResponse(responseCode = "200", description = "The decision; nothing is executed")
  @ApiResponse(responseCode = "422", description = "The proposed configuration has problems, as they would be reported at load")
  public ResponseEntity<DecisionView> decide(
      @RequestBody DecisionRequest request,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    String realm = required(request.realm(), "realm");
    rights.require(AdministratorRole.VIEWER, realm);
    // As for proposed revisions: a proposed text may name what belongs to the node or to another realm.
    ChangeScope scope = request.configuration().isEmpty() ? new ChangeScope.OneRealm(realm) : control.scope(rights, realm);
    String url = required(request.url(), "url");
    audit.record(
        realm,
        rights.administrator(),
        "decision.ask",
        Map.of("url", url.replaceFirst("\\?.*", ""), "proposed", String.valueOf(request.configuration().isPresent())));
    if (request.configuration().isEmpty()) {
      Realm serving = realms.find(realm).orElseThrow(() -> NotFound.realm(realm));
      return ResponseEntity.ok(view(new DecisionQuestion(serving, people, time).answer(request), Set.of()));
    }
    Proposal proposal = control.propose(realm, request.configuration().get(), scope);
    return proposal
        .realm()
        .map(proposed -> ResponseEntity.ok(view(new DecisionQuestion(proposed, people, time).answer(request), proposal.hidden())))
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
