package dev.gatehouse.gateway.admin.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.refusal.RefusalTrace;
import dev.gatehouse.common.refusal.RefusalTraces;
import dev.gatehouse.gateway.admin.TestAdmin;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Refused requests by their ids, for those who may see them. The file of traces has its own test. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestEndpointTest {

  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path folder) {
    admin = new TestAdmin(folder, beans -> beans.registerBean(RefusalTraces.class, TwoRealms::new));
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  /** The id was used in two realms, and by a request that belongs to none. */
  private static final class TwoRealms implements RefusalTraces {

    @Override
    public void record(RefusalTrace trace) {}

    @Override
    public List<RefusalTrace> find(String requestId) {
      return requestId.equals("same") ? List.of(denied("demo"), denied("second"), login(), denied("-")) : List.of();
    }

    @Override
    public int forget(String realm, String person) {
      return 0;
    }

    private static RefusalTrace denied(String realm) {
      return new RefusalTrace(
          "same", TestTime.START, realm, new RefusalTrace.Asked("GET", "https://app.example", "/" + realm, "192.0.2.1", "manager"),
          new RefusalTrace.Refused(403, "ROLE_MISSING", "-", "-", ""),
          Optional.of(new RefusalTrace.Subject("idp!bob", "bob", "s1", "idp", List.of("clerk"), Optional.empty())),
          Optional.of(
              new RefusalTrace.Decided(
                  "deny", "office", "rule 2",
                  List.of(new RefusalTrace.Rule("office", "rule 2", "permit", false, List.of("no: roles: staff"))),
                  List.of("X-User"))),
          Optional.empty(), Optional.of(new RefusalTrace.Upstream("127.0.0.1:80", 7)));
    }

    private static RefusalTrace login() {
      return new RefusalTrace(
          "same", TestTime.START, "demo", new RefusalTrace.Asked("-", "", "", "192.0.2.1", "-"),
          new RefusalTrace.Refused(0, "NOT_ON_OR_AFTER", "Response", "https://idp.example", "ended 2026-01-01T11:00:00Z"),
          Optional.empty(), Optional.empty(),
          Optional.of(
              new RefusalTrace.Assertion(
                  "https://idp.example", "_a1", TestTime.START, Optional.empty(), Optional.of(TestTime.START),
                  List.of("https://sp.example"),
                  Optional.of("_r1"), Optional.of("password"))),
          Optional.empty());
    }
  }

  private HttpResponse<String> ask(String id, String grant) throws IOException, InterruptedException {
    String key = admin.key(grant + id.hashCode() + System.nanoTime(), List.of(AdministratorGrant.parse(grant)), Optional.empty());
    return admin.send("GET", "/admin/v1/requests/" + id, "Authorization", "Bearer " + key);
  }

  @Test
  void aRefusalSaysWhoAskedAndWhyItWasDenied() throws IOException, InterruptedException {
    JsonNode found = JsonMapper.shared().readTree(ask("same", "helpdesk").body());
    assertThat(found.path("refusals")).hasSize(4);
    JsonNode denied = found.at("/refusals/0");
    assertThat(denied.path("request").asString()).isEqualTo("GET https://app.example/demo");
    assertThat(denied.path("status").asInt()).isEqualTo(403);
    assertThat(denied.at("/person/user").asString()).isEqualTo("bob");
    assertThat(denied.at("/person/roles/0").asString()).isEqualTo("clerk");
    assertThat(denied.at("/outcome/rules/0/conditions/0").asString()).isEqualTo("no: roles: staff");
    assertThat(denied.at("/outcome/headers/0").asString()).isEqualTo("X-User");
    assertThat(denied.at("/outcome/serverMillis").asInt()).isEqualTo(7);
    JsonNode login = found.at("/refusals/2/message");
    assertThat(login.path("detail").asString()).startsWith("ended");
    assertThat(login.at("/assertion/audiences/0").asString()).isEqualTo("https://sp.example");
    assertThat(found.at("/refusals/2").has("status")).isFalse();
  }

  @Test
  void otherRealmsAreLeftOut() throws IOException, InterruptedException {
    assertThat(ask("same", "helpdesk@demo").body()).contains("/demo").doesNotContain("second", "app.example/-");
    JsonNode second = JsonMapper.shared().readTree(ask("same", "helpdesk@second").body());
    assertThat(second.path("refusals")).hasSize(1);
    assertThat(second.at("/refusals/0/realm").asString()).isEqualTo("second");
    HttpResponse<String> none = ask("same", "admin@third");
    assertThat(none.statusCode()).isEqualTo(404);
    assertThat(none.body()).as("as for an id that nobody used").isEqualTo(ask("none", "admin@third").body().replace("none", "same"));
    assertThat(ask("same", "viewer").statusCode()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "a%20b", "%3Cscript%3E", "..%2Frealms", "%0A"})
  void whatIsNoIdIsNotFound(String id) throws IOException, InterruptedException {
    HttpResponse<String> answer = ask(id, "helpdesk");
    assertThat(answer.statusCode()).isIn(400, 404);
    assertThat(answer.body()).doesNotContain("<script", "\tat ");
    assertThat(ask("x".repeat(65), "helpdesk").statusCode()).isEqualTo(404);
  }
}
