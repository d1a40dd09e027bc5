package dev.gatehouse.gateway.admin.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.gateway.admin.TestAdmin;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code /admin/v1/realms/{realm}/tokens}, by HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokenAdminEndpointTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String BASE = "/admin/v1/realms/demo/tokens";

  private final TokenDeskFixture tokens = new TokenDeskFixture();
  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path data) {
    admin = new TestAdmin(data, tokens::register);
  }

  @Test
  void trustedRealmsAreListedAndTested() throws Exception {
    String trusts = "/admin/v1/realms/demo/otp/trusts";
    JsonNode one = json(admin.authorized("GET", trusts), 200).get("trusts").get(0);
    assertThat(one.get("name").asString()).isEqualTo("branch.example");
    assertThat(one.get("certificates").get(0).toString()).isEqualTo("{\"sha256\":\"" + "ab12".repeat(16) + "\",\"expiresAt\":\"1970-01-01T00:00:00Z\"}");
    assertThat(one.get("contact").get("questions").asInt()).isEqualTo(1234);
    assertThat(one.get("contact").get("asked").asInt()).isEqualTo(3);
    JsonNode tested = json(admin.authorized("POST", trusts + "/branch.example/test"), 200);
    assertThat(tested.get("works").asBoolean()).isFalse();
    assertThat(tested.get("problems").get(0).asString()).isEqualTo("It was not reached.");
    assertThat(admin.audit.events(Administered.class)).extracting(Administered::action).containsExactly("trust.test");
    assertThat(json(admin.authorized("POST", trusts + "/third.example/test"), 404).toString()).contains("otp.visitors.trusts has no realm `third.example`");
    json(admin.authorized("GET", "/admin/v1/realms/nowhere/otp/trusts"), 404);
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  @BeforeEach
  void clean() {
    admin.audit.clear();
    admin.audit.breakDown(false);
    tokens.clear();
    tokens.add("t-1", "t-2", "t-3");
  }

  private static JsonNode json(HttpResponse<String> response, int status) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return response.body().isEmpty() ? JSON.createObjectNode() : JSON.readTree(response.body());
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    return json(admin.authorized("GET", BASE + path), 200);
  }

  private JsonNode post(String path, int status) throws IOException, InterruptedException {
    return json(admin.authorized("POST", BASE + path), status);
  }

  @Test
  void aTokenIsAssignedDisabledLostFoundReplacedAndTakenBackAndItIsAudited() throws IOException, InterruptedException {
    assertThat(post("/t-1/assign?person=alice", 200).get("person").asString()).isEqualTo("alice");
    assertThat(post("/t-1/disable", 200).get("state").asString()).isEqualTo("disabled");
    post("/t-1/enable", 200);
    assertThat(post("/t-1/lost", 200).get("state").asString()).isEqualTo("lost");
    post("/t-1/found", 200);
    post("/t-1/replace?by=t-2", 200);
    assertThat(get("/t-2").get("replaces").asString()).isEqualTo("t-1");
    assertThat(get("?person=alice").get("tokens").size()).isEqualTo(2);
    assertThat(post("/t-1/unassign", 200).has("person")).isFalse();
    json(admin.authorized("DELETE", BASE + "/t-1"), 204);
    assertThat(admin.audit.events(Administered.class))
        .extracting(TokenAdminEndpointTest::told)
        .containsExactly(
            "token.assign t-1 of - was enabled",
            "token.disable t-1 of alice was enabled",
            "token.enable t-1 of alice was disabled",
            "token.lost t-1 of alice was enabled",
            "token.found t-1 of alice was lost",
            "token.replace t-1 of alice was enabled",
            "token.unassign t-1 of alice was enabled",
            "token.remove t-1 of - was disabled");
  }

  private static String told(Administered event) {
    var details = event.details();
    return event.action() + " " + details.get("serial") + " of " + details.get("person") + " was " + details.get("state");
  }

  @Test
  void refusalsSayWhatIsWrong() throws IOException, InterruptedException {
    assertThat(post("/none/enable", 404).get("detail").asString()).contains("no such token");
    assertThat(post("/t-1/assign?person=nobody", 404).get("detail").asString()).contains("nobody of that name");
    assertThat(post("/t-1/unassign", 409).get("detail").asString()).contains("assign it first");
    post("/t-1/assign?person=alice", 200);
    assertThat(post("/t-1/assign?person=bob", 409).get("detail").asString()).contains("take it back first");
    assertThat(json(admin.authorized("DELETE", BASE + "/t-1"), 409).get("detail").asString()).contains("belongs to somebody");
    assertThat(json(admin.authorized("GET", BASE + "?state=odd"), 400).get("detail").asString()).contains("lost or expired");
    json(admin.post(BASE + "/t-1/resynchronise", "{\"code\":\"1\"}"), 400);
    assertThat(json(admin.post(BASE + "/t-1/resynchronise", "{\"code\":\"000000\",\"next\":\"000000\"}"), 409).get("detail").asString())
        .contains("two successive codes");
    json(admin.authorized("GET", "/admin/v1/realms/none/tokens"), 404);
    json(admin.send("POST", BASE + "/t-1/disable"), 401);
    assertThat(get("/t-1").get("state").asString()).isEqualTo("enabled");
  }

  @Test
  void aChangeForAnotherStateIsRefused() throws IOException, InterruptedException {
    String tag = admin.authorized("GET", BASE + "/t-1").headers().firstValue("ETag").orElseThrow();
    String[] headers = {"Authorization", "Bearer " + admin.key, "If-Match", tag};
    json(admin.send("POST", BASE + "/t-1/disable", headers), 200);
    json(admin.send("POST", BASE + "/t-1/enable", headers), 412);
    assertThat(get("/t-1").get("state").asString()).isEqualTo("disabled");
  }

  @Test
  void aPinAndWhatStandsInAreToldOnceAndNeverAudited() throws IOException, InterruptedException {
    String person = "/people?person=alice";
    assertThat(json(admin.post(BASE + "/people/pin?person=alice", ""), 409).get("detail").asString()).contains("has no token");
    post("/t-1/assign?person=alice", 200);
    String pin = post("/people/pin?person=alice", 200).get("pin").asString();
    JsonNode sheet = json(admin.post(BASE + "/people/stand-in?person=alice", "{\"kind\":\"codes\",\"codes\":3}"), 200);
    assertThat(sheet.get("values").size()).isEqualTo(3);
    JsonNode password = json(admin.post(BASE + "/people/stand-in?person=alice", "{\"kind\":\"password\"}"), 200);
    String secret = password.get("values").get(0).asString();
    JsonNode holder = get(person);
    assertThat(holder.get("pin").asBoolean()).isTrue();
    assertThat(holder.get("newPin").asBoolean()).isTrue();
    assertThat(holder.get("emergency").get("kind").asString()).isEqualTo("password");
    String seed = new String(TokenDeskFixture.SEED, java.nio.charset.StandardCharsets.US_ASCII);
    String everything =
        holder + get("/t-1").toString() + get("") + get("/report") + admin.audit.events(Administered.class);
    assertThat(everything).doesNotContain(pin, secret, sheet.get("values").get(0).asString(), seed);
    assertThat(everything).doesNotContainIgnoringCase(HexFormat.of().formatHex(TokenDeskFixture.SEED));
    assertThat(everything).doesNotContain(Base64.getEncoder().encodeToString(TokenDeskFixture.SEED));
    for (String wrong :
        List.of(
            "{\"kind\":\"x\"}", "{}", "{\"kind\":\"codes\",\"codes\":21}", "{\"kind\":\"password\",\"codes\":1}",
            "{\"kind\":\"password\",\"until\":\"2100-01-01T00:00:00Z\"}")) {
      json(admin.post(BASE + "/people/stand-in?person=alice", wrong), 400);
    }
    json(admin.authorized("DELETE", BASE + "/people/stand-in?person=alice"), 204);
    json(admin.authorized("DELETE", BASE + "/people/stand-in?person=alice"), 404);
    assertThat(post("/people/unlock?person=alice", 200).get("forgotten").asInt()).isZero();
  }

  @Test
  void nobodyActsOnPeopleWithMorePower() throws IOException, InterruptedException {
    Person boss = admin.logins.add("boss");
    admin.grant(boss, "admin@demo");
    String[] desk = {
      "Authorization", "Bearer " + admin.key("desk", List.of(AdministratorGrant.parse("helpdesk@demo")), Optional.empty())
    };
    post("/t-1/assign?person=" + boss.id().value(), 200);
    for (String path :
        List.of(
            "/t-1/unassign", "/t-1/disable", "/t-1/enable", "/t-1/lost", "/t-1/found", "/t-1/replace?by=t-2", "/t-2/assign?person=boss",
            "/people/pin?person=boss", "/people/unlock?person=boss", "/people/pin?person=boss-id")) {
      json(admin.send("POST", BASE + path, desk), 403);
    }
    json(admin.send("DELETE", BASE + "/people/stand-in?person=boss", desk), 403);
    json(admin.send("GET", BASE + "/t-1", desk), 200);
    json(admin.send("POST", BASE + "/t-2/assign?person=alice", desk), 200);
    json(admin.send("DELETE", BASE + "/t-3", desk), 403);
  }

  @Test
  void whatCannotBeAuditedIsNotDone() throws IOException, InterruptedException {
    admin.audit.breakDown(true);
    json(admin.authorized("POST", BASE + "/t-1/assign?person=alice"), 503);
    json(admin.authorized("POST", BASE + "/people/pin?person=alice"), 503);
    admin.audit.breakDown(false);
    assertThat(get("/t-1").has("person")).isFalse();
  }

  @Test
  void listsHavePages() throws IOException, InterruptedException {
    JsonNode first = get("?limit=2");
    assertThat(first.get("tokens").size()).isEqualTo(2);
    assertThat(get("?limit=2&after=" + first.get("next").asString()).get("tokens").get(0).get("serial").asString()).isEqualTo("t-3");
    json(admin.json("PUT", BASE + "/t-2/expiry", "{\"expiresAt\":\"2020-01-01T00:00:00Z\"}"), 200);
    assertThat(get("?state=expired").get("tokens").size()).isEqualTo(1);
    assertThat(get("?expiresBefore=2020-01-02T00:00:00Z&assigned=false&used=false").get("tokens").get(0).get("state").asString())
        .isEqualTo("expired");
    assertThat(get("/report").get("expired").asInt()).isEqualTo(1);
    json(admin.json("PUT", BASE + "/t-2/expiry", "{}"), 200);
    assertThat(get("?state=expired").get("tokens").size()).isZero();
  }

  private JsonNode imported(String query, String file) throws IOException, InterruptedException {
    return ended(json(admin.post(BASE + "/import" + query, file), 202));
  }

  private JsonNode ended(JsonNode job) throws IOException, InterruptedException {
    String path = "/admin/v1/jobs/" + job.get("id").asString();
    Eventually.holds(() -> !json(admin.authorized("GET", path), 200).get("state").asString().equals("running"));
    return json(admin.authorized("GET", path), 200);
  }

  @Test
  void aFileOfChangesStopsAtTheFirstThatIsRefusedAndEachIsAudited() throws IOException, InterruptedException {
    String lines = "action,serial,person\\nassign,t-1,alice\\nassign,t-1,bob\\nassign,t-2,bob\\n";
    JsonNode done = ended(json(admin.post(BASE + "/changes", "{\"content\":\"" + lines + "\"}"), 202));
    assertThat(done.get("state").asString()).isEqualTo("succeeded");
    assertThat(done.get("result").get("changed").asInt()).isEqualTo(1);
    assertThat(done.get("result").get("rejected").get(0).get("reason").asString()).contains("take it back first");
    assertThat(done.get("result").get("rejected").get(1).get("reason").asString()).contains("Not tried");
    assertThat(get("/t-1").get("person").asString()).isEqualTo("alice");
    assertThat(get("/t-2").has("person")).isFalse();
    assertThat(admin.audit.events(Administered.class)).extracting(Administered::action)
        .containsExactly("token.changes", "token.assign", "token.assign", "job.end");
    for (String wrong : List.of("{}", "{\"content\":\"serial\\nt-1\"}", "{\"content\":\"action,serial\\n\"}")) {
      json(admin.post(BASE + "/changes", wrong), 400);
    }
    json(admin.post(BASE + "/changes?onError=x", "{\"content\":\"" + lines + "\"}"), 400);
  }

  @Test
  void aPersonWhomNobodyKnowsIsNoticedBeforeTheFirstChange() throws IOException, InterruptedException {
    String lines = "action,serial,person\\ndisable,t-1,\\nassign,t-2,nobody\\nassign,t-3," + "x".repeat(1600) + "\\n";
    JsonNode failed = ended(json(admin.post(BASE + "/changes", "{\"content\":\"" + lines + "\"}"), 202));
    assertThat(failed.get("state").asString()).isEqualTo("failed");
    assertThat(failed.get("problem").asString())
        .contains("Entry 3 (t-2): The directory has nobody of that name or id.", "Entry 4 (t-3): `person` is a user name or id.")
        .contains("Nothing was changed.");
    assertThat(get("/t-1").get("state").asString()).isEqualTo("enabled");
  }

  @Test
  void aFaultEndsTheJobWithWhatItHasDone() throws IOException, InterruptedException {
    String lines = "action,serial,expires\\ndisable,t-1,\\nexpire,t-2,2199-01-31T00:00:00Z\\ndisable,t-3,\\n";
    String body = "{\"content\":\"" + lines + "\"}";
    JsonNode result = tokens.refusingAnEnd(() -> ended(json(admin.post(BASE + "/changes?onError=skip", body), 202)).get("result"));
    assertThat(result.get("changed").asInt()).isEqualTo(1);
    assertThat(result.get("rejected").get(0).get("reason").asString()).contains("A fault");
    assertThat(result.get("rejected").get(1).get("reason").asString()).contains("Not tried");
    assertThat(get("/t-1").get("state").asString()).isEqualTo("disabled");
    assertThat(get("/t-3").get("state").asString()).isEqualTo("enabled");
  }

  @Test
  void aFileChangesNoTokenOfPeopleWithMorePower() throws IOException, InterruptedException {
    Person boss = admin.logins.add("boss");
    admin.grant(boss, "admin@demo");
    String key = admin.key("operator", List.of(AdministratorGrant.parse("operator@demo")), Optional.empty());
    post("/t-1/assign?person=" + boss.id().value(), 200);
    String lines = "action,serial,person\\ndisable,t-1,\\nassign,t-2,boss\\nassign,t-2,boss-id\\ndisable,t-3,\\n";
    HttpResponse<String> started =
        admin.sendBody(
            "POST", BASE + "/changes?onError=skip", "{\"content\":\"" + lines + "\"}", "Authorization", "Bearer " + key, "Content-Type", "application/json");
    JsonNode done = ended(json(started, 202));
    assertThat(done.get("result").get("changed").asInt()).isEqualTo(1);
    assertThat(done.get("result").get("rejected").toString()).contains("is an administrator with the role admin");
    assertThat(get("/t-1").get("state").asString()).isEqualTo("enabled");
    assertThat(get("/t-2").has("person")).isFalse();
    json(
        admin.sendBody(
            "POST", BASE + "/changes", "{\"content\":\"" + lines + "\"}", "Authorization",
            "Bearer " + admin.key("desk2", List.of(AdministratorGrant.parse("helpdesk@demo")), Optional.empty()), "Content-Type",
            "application/json"),
        403);
  }

  @Test
  void aFileChangesNothingMoreWhenTheKeyOrTheRoleWasTakenAway() throws IOException, InterruptedException {
    String key = admin.key("leaving", List.of(AdministratorGrant.parse("operator@demo")), Optional.empty());
    String lines = "action,serial\\ndisable,t-1\\ndisable,t-2\\ndisable,t-3\\n";
    tokens.afterChange = () -> admin.revoke("leaving");
    try {
      HttpResponse<String> started =
          admin.sendBody(
              "POST", BASE + "/changes?onError=skip", "{\"content\":\"" + lines + "\"}", "Authorization", "Bearer " + key, "Content-Type", "application/json");
      JsonNode end = ended(json(started, 202));
      assertThat(end.get("state").asString()).isEqualTo("failed");
      assertThat(end.get("problem").asString()).contains("The role operator", "was taken away from leaving", "after 1 of 3 tokens");
    } finally {
      tokens.afterChange = () -> {};
    }
    assertThat(get("/t-1").get("state").asString()).isEqualTo("disabled");
    assertThat(get("/t-2").get("state").asString()).isEqualTo("enabled");
    assertThat(get("/t-3").get("state").asString()).isEqualTo("enabled");
    Eventually.holds(() -> admin.audit.events(Administered.class).getLast().action().equals("job.end"));
    assertThat(admin.audit.events(Administered.class)).extracting(Administered::action).containsExactly("token.changes", "token.disable", "job.end");
    assertThat(admin.audit.events(Administered.class).getLast().details()).containsEntry("reason", "RIGHTS_WITHDRAWN");
  }

  @Test
  void aFileOfSeedsIsImportedByAJobAndItsSecretsAreNowhere() throws IOException, InterruptedException {
    String seed = "3132333435363738393031323334353637383930";
    String lines = "serial,seed_hex\\nn-1," + seed + "\\nt-1," + seed + "\\nn-2,00\\n";
    String file = "{\"format\":\"csv\",\"content\":\"" + lines + "\",\"password\":\"topsecret\"}";
    JsonNode failed = imported("", file);
    assertThat(failed.get("state").asString()).isEqualTo("failed");
    assertThat(failed.get("problem").asString()).contains("Entry 3 (t-1)", "Entry 4 (n-2)", "Nothing was imported");
    assertThat(get("").get("tokens").size()).isEqualTo(3);
    JsonNode done = imported("?onError=skip", file);
    assertThat(done.get("state").asString()).isEqualTo("succeeded");
    assertThat(done.get("result").get("imported").asInt()).isEqualTo(1);
    assertThat(done.get("result").get("rejected").get(0).get("serial").asString()).isEqualTo("t-1");
    assertThat(get("/n-1").get("kind").asString()).isEqualTo("totp");
    assertThat(done + failed.toString() + admin.audit.events(Administered.class)).doesNotContain(seed, "topsecret");
    assertThat(admin.audit.events(Administered.class)).extracting(Administered::action)
        .containsExactly("token.import", "job.end", "token.import", "job.end");
    String key = "{\"format\":\"pskc\",\"content\":\"y\",\"key\":\"zz\"}";
    for (String wrong : List.of("{}", "{\"format\":\"x\",\"content\":\"y\"}", key)) {
      json(admin.post(BASE + "/import", wrong), 400);
    }
    json(admin.post(BASE + "/import?onError=x", file), 400);
  }
}
