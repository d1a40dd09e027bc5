package dev.gatehouse.gateway.admin.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Effect;
import dev.gatehouse.common.realm.PolicyConfig.Rule;
import dev.gatehouse.common.realm.PolicyConfig.Values;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.decision.DecisionEndpoint.DecisionRequest;
import dev.gatehouse.gateway.admin.web.BadRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class DecisionEndpointTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String MFA = "https://refeds.org/profile/mfa";

  @TempDir static Path data;

  private static TestAdmin admin;

  @BeforeAll
  static void start() throws IOException {
    admin = new TestAdmin(data);
    admin.proposing(
        (realm, text) ->
            text.equals("bad")
                ? new ConfigurationControl.Proposal(
                    Optional.empty(), List.of(new Problem(Path.of("demo.yaml"), 7, "routes[0].path", "is wrong", "right it")), Set.of())
                : new ConfigurationControl.Proposal(Optional.of(proposed()), List.of(), Set.of("s3cret")));
  }

  @AfterAll
  static void stop() {
    admin.close();
  }

  private static Realm proposed() {
    Rule own = new Rule("own account", Effect.PERMIT,
        List.of(new Condition.Attribute("accounts", new Values(Set.of(), Set.of("account"))), new Condition.Login(List.of(MFA))));
    Rule barred = new Rule("barred s3cret", Effect.DENY, List.of(new Condition.AnyRole(Set.of("guest"))));
    return TestRealms.change(TestRealms.demo())
        .routes(
            TestRealms.route("accounts", "/accounts/{account}/", URI.create("http://127.0.0.1:1"), new Access.Protected())
                .withPolicies(List.of(new PolicyConfig("customers", List.of(own, barred)))))
        .realm();
  }

  private static JsonNode ask(int status, String rest) throws IOException, InterruptedException {
    String url = TestRealms.APP + "/accounts/7/list";
    HttpResponse<String> answer =
        admin.post("/admin/v1/decisions", "{\"realm\":\"demo\",\"url\":\"" + url + "\"," + rest + "}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return JSON.readTree(answer.body());
  }

  private static String person(String role, String account, String context) {
    return "\"configuration\":\"good\",\"person\":{\"user\":\"al\",\"roles\":[\"" + role + "\"],\"attributes\":{\"accounts\":[\""
        + account + "\"]},\"authnContext\":\"" + context + "\"}";
  }

  @Test
  void whoMayComeIsToldWithTheRuleAndTheHeaders() throws Exception {
    JsonNode answer = ask(200, person("customer", "7", MFA));
    assertThat(answer.get("decision").asString()).isEqualTo("permit");
    assertThat(answer.get("rule").asString()).isEqualTo("own account");
    assertThat(answer.get("policy").asString()).isEqualTo("customers");
    assertThat(answer.get("headers").toString()).contains("Remote-User");
    assertThat(admin.audit.events(Administered.class)).anyMatch(event -> event.action().equals("decision.ask"));
  }

  @Test
  void whoWouldComeWithAStrongerLoginIsSentThere() throws Exception {
    JsonNode answer = ask(200, person("customer", "7", "urn:weak"));
    assertThat(answer.get("decision").asString()).isEqualTo("challenge");
    assertThat(answer.get("authnContext").toString()).isEqualTo("[\"" + MFA + "\"]");
    JsonNode conditions = answer.get("rules").get(0).get("conditions");
    assertThat(conditions.get(0).get("held").asBoolean()).isTrue();
    assertThat(conditions.get(1).get("held").asBoolean()).isFalse();
  }

  @Test
  void whoMayNotIsToldWhyAndNoSecretOfTheEnvironment() throws Exception {
    JsonNode other = ask(200, person("customer", "8", "urn:weak"));
    assertThat(other.get("decision").asString()).isEqualTo("deny");
    assertThat(other.get("reasons").toString()).isEqualTo("[\"NO_RULE_PERMITS\"]");
    JsonNode barred = ask(200, person("guest", "7", MFA));
    assertThat(barred.get("reasons").toString()).isEqualTo("[\"POLICY_DENIED\"]");
    assertThat(barred.toString()).contains("barred ${…}").doesNotContain("s3cret");
  }

  @Test
  void nobodyIsLookedUpInADirectoryThatIsOnlyProposed() {
    var opened = new java.util.concurrent.atomic.AtomicBoolean();
    Realm serving = TestRealms.change(TestRealms.demo()).directory(TestRealms.directory("localhost", 1)).realm();
    Realm evil = TestRealms.change(serving).directory(TestRealms.directory("evil.example", 1)).realm();
    DecisionSubjects people =
        new DecisionSubjects(
            new dev.gatehouse.common.realm.FixedRealms(serving),
            Optional.empty(),
            Optional.of(
                realm -> {
                  opened.set(true);
                  throw new IllegalStateException(realm.name());
                }),
            java.time.Instant::now);
    DecisionRequest request =
        new DecisionRequest(
            "demo", TestRealms.APP + "/", Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("al"),
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("text"));
    assertThatThrownBy(() -> people.session(evil, request)).isInstanceOf(BadRequest.class);
    assertThat(opened).isFalse();
    assertThatThrownBy(() -> people.session(serving, request)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aProposalWithProblemsIsNotDecidedBy() throws Exception {
    JsonNode answer = ask(422, "\"configuration\":\"bad\"");
    assertThat(answer.has("decision")).isFalse();
    assertThat(answer.get("problems").get(0).get("line").asInt()).isEqualTo(7);
  }

  @Test
  void withoutAPersonTheServingConfigurationAsksForALogin() throws Exception {
    JsonNode answer = ask(200, "\"method\":\"GET\"");
    assertThat(answer.get("decision").asString()).isIn("challenge", "deny");
    assertThat(answer.get("problems").isEmpty()).isTrue();
  }

  @Test
  void aQuestionWithoutSenseIsABadRequest() throws Exception {
    ask(400, "\"person\":{\"user\":\"al\"},\"name\":\"al\"");
    ask(400, "\"client\":\"nowhere\"");
    ask(400, "\"person\":{}");
  }
}
