package dev.gatehouse.gateway.admin.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.audit.search.AuditPage;
import dev.gatehouse.common.audit.search.AuditQuery;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.audit.search.AuditTerm;
import dev.gatehouse.common.audit.search.Coverage;
import dev.gatehouse.common.audit.search.EventSearch;
import dev.gatehouse.common.directory.PeopleSearch.Entry;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.gateway.admin.TestAdmin;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The register of people, reports on tokens and their fields, by HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PeopleEndpointTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String REALM = "/admin/v1/realms/demo";
  private static final String PEOPLE = REALM + "/token-people";
  private static final String FIELDS = REALM + "/tokens/t-1/fields";

  private final TokenDeskFixture tokens = new TokenDeskFixture();
  private final Map<String, List<String>> byKind = new HashMap<>();
  private final Map<String, String> keys = new HashMap<>();
  private TestAdmin admin;

  /** Events in the order in which they happened; pages of two. */
  private final class FakeSearch implements EventSearch {
    @Override
    public AuditPage search(AuditQuery query) {
      assertThat(query.terms()).containsEntry(AuditTerm.REALM, "demo").containsKey(AuditTerm.EVENT);
      List<String> events = byKind.getOrDefault(query.terms().get(AuditTerm.EVENT), List.of());
      int from = query.after().map(cursor -> (int) cursor.seq()).orElse(0);
      int to = Math.min(events.size(), from + 2);
      List<byte[]> page = events.subList(from, to).stream().map(line -> line.getBytes(StandardCharsets.UTF_8)).toList();
      Optional<AuditQuery.Cursor> next = to < events.size() ? Optional.of(new AuditQuery.Cursor(0, to)) : Optional.empty();
      return new AuditPage(page, next, Optional.empty());
    }

    @Override
    public AuditPage search(AuditQuery query, Duration atMost) {
      return search(query);
    }

    @Override
    public Coverage coverage(Instant to) {
      return new Coverage(true, List.of());
    }

    @Override
    public void close() {}
  }

  @BeforeAll
  void start(@TempDir Path data) {
    admin = new TestAdmin(data, AuditSearch.of(new FakeSearch(), List.of()), tokens::register);
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  @BeforeEach
  void clean() {
    admin.audit.clear();
    tokens.clear();
    tokens.entries.clear();
    Set.copyOf(tokens.known.all("demo").keySet()).forEach(id -> tokens.known.erase("demo", id));
    byKind.clear();
    tokens.add("t-1", "t-2", "t-3");
  }

  private static JsonNode json(HttpResponse<String> response, int status) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return response.body().isEmpty() ? JSON.createObjectNode() : JSON.readTree(response.body());
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    return json(admin.authorized("GET", path), 200);
  }

  private JsonNode job(String path) throws IOException, InterruptedException {
    String id = json(admin.authorized("POST", PEOPLE + path), 202).get("id").asString();
    Eventually.holds(() -> !get("/admin/v1/jobs/" + id).get("state").asString().equals("running"));
    return get("/admin/v1/jobs/" + id);
  }

  private String[] as(String grant) {
    String key =
        keys.computeIfAbsent(grant, g -> admin.key(g.replaceAll("\\W", ""), List.of(AdministratorGrant.parse(g)), Optional.empty()));
    return new String[] {"Authorization", "Bearer " + key};
  }

  private void directory(String... names) {
    tokens.entries.clear();
    for (String name : names) {
      tokens.entries.add(
          new Entry("uid=" + name, Optional.of(new PersonId(name + "-id")), Optional.of(name), Optional.of(name), Optional.empty(), List.of(), false));
    }
  }

  @Test
  void aPreviewChangesNothingAndASynchronisationReports() throws IOException, InterruptedException {
    directory("alice", "bob", "carol");
    JsonNode preview = job("/preview").get("result");
    assertThat(preview.get("added").asInt()).isEqualTo(3);
    assertThat(preview.get("changes").get(0).get("kind").asString()).isEqualTo("added");
    assertThat(get(PEOPLE).get("people").size()).isZero();
    assertThat(job("/synchronise").get("result").get("added").asInt()).isEqualTo(3);
    assertThat(get(PEOPLE + "?name=AL").get("people").get(0).get("person").asString()).isEqualTo("alice-id");
    JsonNode first = get(PEOPLE + "?limit=2");
    assertThat(get(PEOPLE + "?limit=2&after=" + first.get("next").asString()).get("people").size()).isEqualTo(1);
    directory("alice");
    JsonNode stopped = job("/synchronise");
    assertThat(stopped.get("state").asString()).isEqualTo("failed");
    assertThat(stopped.get("problem").asString()).startsWith("TOO_MANY_GONE: ").contains("Nothing was changed");
    assertThat(job("/preview").get("result").get("stop").asString()).startsWith("TOO_MANY_GONE");
    assertThat(get(PEOPLE + "?status=gone").get("people").size()).isZero();
    assertThat(job("/synchronise?mayDisable=80%25").get("result").get("gone").asInt()).isZero();
    assertThat(get(PEOPLE + "?status=missing").get("people").size()).isEqualTo(2);
    tokens.time.advance(Duration.ofHours(1));
    assertThat(job("/synchronise?mayDisable=80%25").get("result").get("gone").asInt()).isEqualTo(2);
    assertThat(get(PEOPLE + "?status=gone").get("people").size()).isEqualTo(2);
    JsonNode runs = get(PEOPLE + "/runs").get("runs");
    assertThat(runs.get(0).get("state").asString()).isEqualTo("done");
    assertThat(runs.get(2).get("state").asString()).isEqualTo("stopped");
    assertThat(runs.get(0).get("by").asString()).isEqualTo("ops");
    assertThat(admin.audit.events(Administered.class)).extracting(Administered::action).contains("people.synchronise");
    json(admin.authorized("POST", PEOPLE + "/synchronise?mayDisable=lots"), 400);
    json(admin.authorized("GET", PEOPLE + "?status=odd"), 400);
    json(admin.authorized("GET", PEOPLE + "?name=a%00"), 400);
    json(admin.authorized("GET", PEOPLE + "/runs?limit=0"), 400);
    json(admin.authorized("GET", "/admin/v1/realms/none/token-people"), 404);
  }

  @Test
  void eachRoleDoesWhatIsItsAndInItsRealmOnly() throws IOException, InterruptedException {
    directory("alice");
    String[] desk = as("helpdesk@demo");
    String[] operator = as("operator@demo");
    json(admin.send("GET", PEOPLE, desk), 200);
    json(admin.send("GET", PEOPLE + "/runs", desk), 200);
    json(admin.send("POST", PEOPLE + "/preview", desk), 403);
    json(admin.send("POST", PEOPLE + "/synchronise", desk), 403);
    json(admin.send("POST", PEOPLE + "/preview", operator), 202);
    json(admin.send("POST", PEOPLE + "/synchronise", operator), 403);
    String[] viewer = as("viewer@demo");
    String[] elsewhere = as("admin@other");
    for (String path :
        List.of(PEOPLE, PEOPLE + "/runs", FIELDS, REALM + "/token-reports/tokens", REALM + "/token-reports/failures", REALM + "/token-reports/tokens?format=csv")) {
      json(admin.send("GET", path, viewer), 403);
      json(admin.send("GET", path, elsewhere), 403);
      json(admin.send("GET", path), 401);
    }
    json(admin.send("POST", PEOPLE + "/synchronise", elsewhere), 403);
  }

  private HttpResponse<String> put(String body, String... headers) throws IOException, InterruptedException {
    return admin.sendBody("PUT", FIELDS, body, headers);
  }

  @Test
  void fieldsAreWrittenWithinThePolicyAndTheAuditLogHasBeforeAndAfter() throws IOException, InterruptedException {
    String soon = admin.time.instant().plus(Duration.ofDays(80)).toString();
    String late = admin.time.instant().plus(Duration.ofDays(400)).toString();
    String[] desk = {as("helpdesk@demo")[0], as("helpdesk@demo")[1], "Content-Type", "application/json"};
    String[] operator = {as("operator@demo")[0], as("operator@demo")[1], "Content-Type", "application/json"};
    json(put("{\"label\":\"drawer 7\",\"note\":\"=HYPERLINK(1)\",\"expiresAt\":\"" + soon + "\"}", desk), 200);
    json(put("{\"label\":\"drawer 8\",\"note\":\"\",\"expiresAt\":\"" + soon + "\"}", desk), 200);
    assertThat(admin.audit.events(Administered.class).getLast().details())
        .containsEntry("label.before", "drawer 7").containsEntry("label.after", "drawer 8").containsEntry("note.before", "=HYPERLINK(1)")
        .containsEntry("note.after", "").doesNotContainKey("expiresAt.before").containsEntry("role", "helpdesk");
    // Neither later than the policy says, nor never.
    json(put("{\"label\":\"x\",\"expiresAt\":\"" + late + "\"}", desk), 403);
    json(put("{\"label\":\"x\"}", desk), 403);
    assertThat(get(FIELDS).get("label").asString()).isEqualTo("drawer 8");
    json(put("{\"label\":\"x\",\"expiresAt\":\"" + late + "\"}", operator), 200);
    // What an operator decided stays as it is.
    json(put("{\"label\":\"y\",\"expiresAt\":\"" + late + "\"}", desk), 200);
    json(put("{\"label\":\"" + "l".repeat(65) + "\"}", operator), 400);
    json(put("{\"label\":\"a\\nb\"}", operator), 400);
    json(put("{\"note\":\"" + "n".repeat(10_000) + "\"}", operator), 400);
    String old = admin.send("GET", FIELDS, operator).headers().firstValue("ETag").orElseThrow();
    json(put("{\"label\":\"z\"}", operator[0], operator[1], "Content-Type", "application/json", "If-Match", old), 200);
    json(put("{\"label\":\"w\"}", operator[0], operator[1], "Content-Type", "application/json", "If-Match", old), 412);
    json(put("{\"expiresAt\":\"2200-01-01T00:00:00Z\"}", operator), 400);
    json(put("{\"expiresAt\":\"+99999-01-01T00:00:00Z\"}", operator), 400);
    json(admin.send("GET", REALM + "/tokens/none/fields", operator), 404);
  }

  @Test
  void listsOfTokensAreTablesWithoutFormulas() throws IOException, InterruptedException {
    json(admin.authorized("POST", REALM + "/tokens/t-1/assign?person=alice"), 200);
    json(admin.json("PUT", FIELDS, "{\"label\":\"=cmd|' /C calc'!A0\",\"expiresAt\":\"" + admin.time.instant().plus(Duration.ofDays(10)) + "\"}"), 200);
    json(admin.authorized("POST", REALM + "/tokens/t-2/disable"), 200);
    String report = REALM + "/token-reports/tokens";
    assertThat(get(report).get("tokens").size()).isEqualTo(3);
    assertThat(get(report).get("at").asString()).isEqualTo(admin.time.instant().toString());
    assertThat(get(report).get("tokens").valueStream().map(line -> line.get("label").asString())).containsExactly("=cmd|' /C calc'!A0", "", "");
    assertThat(get(report + "?state=disabled").get("tokens").get(0).get("serial").asString()).isEqualTo("t-2");
    assertThat(get(report + "?kind=expiring&days=5").get("tokens").size()).isZero();
    assertThat(get(report + "?kind=expiring&days=11").get("tokens").size()).isEqualTo(1);
    assertThat(get(report + "?kind=never-used").get("tokens").get(0).get("serial").asString()).isEqualTo("t-1");
    HttpResponse<String> csv = admin.authorized("GET", report + "?kind=never-used&format=csv");
    assertThat(csv.headers().firstValue("Content-Type").orElse("")).startsWith("text/csv");
    assertThat(csv.headers().firstValue("Content-Disposition")).hasValue("attachment; filename=\"tokens.csv\"");
    assertThat(csv.body()).startsWith("serial,state,person,label,expires,used\n").contains("t-1,enabled,alice,'=cmd|' /C calc'!A0,");
    assertThat(admin.audit.events(Administered.class)).extracting(Administered::action).contains("token.report");
    for (String wrong : List.of("?kind=odd", "?state=odd", "?days=0", "?format=xml", "?days=4000")) {
      json(admin.authorized("GET", report + wrong), 400);
    }
  }

  private void event(String kind, Map<String, String> fields) {
    Map<String, String> all = new HashMap<>(fields);
    all.put("event", kind);
    all.put("realm", "demo");
    byKind.computeIfAbsent(kind, k -> new ArrayList<>()).add(JSON.writeValueAsString(all));
  }

  private void passcode(String name, String by, String outcome, String detail) {
    event("PasscodeDecided", Map.of("name", name, "by", by, "outcome", outcome, "detail", detail));
  }

  @Test
  void failuresWithoutAServerOfVisitorsAndOfAppsCountAsWell() throws IOException, InterruptedException {
    passcode("alice", "agent:host", "offline", "refused WRONG_PASSCODE at 2026-11-27T10:00:00Z");
    String notTaken = "refused WRONG_PASSCODE, which was not taken: its time is outside the days, or not that of the code at 2020-01-01T10:00:00Z";
    passcode("alice", "agent:host", "offline", notTaken);
    passcode("alice", "agent:host", "offline", "accepted t-1 at 2026-11-27T10:01:00Z");
    passcode("alice", "agent:host", "offline-days", "t-1 until 2026-11-30T10:00:00Z");
    event(
        "VisitorDecided",
        Map.of("name", "carol@home.example", "by", "radius:vpn", "home", "home.example", "outcome", "refused", "detail", "WRONG_PASSCODE"));
    event("VisitorDecided", Map.of("name", "carol@home.example", "by", "radius:vpn", "home", "home.example", "outcome", "accepted", "detail", "x"));
    event("LoginRefused", Map.of("name", "alice", "contract", "totp", "reason", "WRONG_CODE"));
    event("LoginRefused", Map.of("name", "alice", "contract", "password", "reason", "CREDENTIALS"));
    JsonNode people = get(REALM + "/token-reports/failures?by=person").get("lines");
    assertThat(people.size()).isEqualTo(2);
    assertThat(people.get(0).get("key").asString()).isEqualTo("alice");
    assertThat(people.get(0).get("reasons").toString()).isEqualTo("{\"WRONG_CODE\":1,\"WRONG_PASSCODE\":1}");
    JsonNode agents = get(REALM + "/token-reports/failures?by=agent").get("lines");
    assertThat(agents.valueStream().map(line -> line.get("key").asString())).containsExactly("agent:host", "login", "radius:vpn");
  }

  @Test
  void failuresAreCountedByPersonAndByAgent() throws IOException, InterruptedException {
    passcode("alice", "radius:vpn", "refused", "WRONG_PASSCODE");
    passcode("alice", "radius:vpn", "refused", "WRONG_PASSCODE");
    passcode("alice", "agent:host", "refused", "NOT_ADMITTED");
    passcode("alice", "radius:vpn", "accepted", "t-1");
    passcode("@SUM(1+1)*cmd|' /C calc'!A0", "login", "refused", "UNKNOWN_PERSON");
    String report = REALM + "/token-reports/failures";
    JsonNode people = get(report + "?by=person");
    assertThat(people.get("complete").asBoolean()).isTrue();
    assertThat(people.get("lines").get(0).get("key").asString()).isEqualTo("alice");
    assertThat(people.get("lines").get(0).get("failures").asInt()).isEqualTo(3);
    assertThat(people.get("lines").get(0).get("reasons").get("WRONG_PASSCODE").asInt()).isEqualTo(2);
    assertThat(get(report + "?by=agent").get("lines").get(0).get("key").asString()).isEqualTo("radius:vpn");
    String csv = admin.authorized("GET", report + "?by=person&format=csv").body();
    assertThat(csv).startsWith("person,failures,reasons\nalice,3,NOT_ADMITTED 1; WRONG_PASSCODE 2\n'@SUM(1+1)*cmd|' /C calc'!A0,1,");
    for (String wrong : List.of("?by=odd", "?from=x", "?from=2027-01-01T00:00:00Z&to=2026-01-01T00:00:00Z", "?to=+20000-01-01T00:00:00Z")) {
      json(admin.authorized("GET", report + wrong), 400);
    }
  }

  @Test
  void whoeverTypesRandomNamesFillsNoMemory() throws IOException, InterruptedException {
    for (int i = 0; i < 20_050; i++) {
      passcode("n" + i, "login", "refused", "UNKNOWN_PERSON");
    }
    passcode("alice", "radius:vpn", "refused", "WRONG_PASSCODE");
    passcode("alice", "radius:vpn", "refused", "WRONG_PASSCODE");
    event(
        "VisitorDecided",
        Map.of("name", "carol@home.example", "by", "radius:vpn", "home", "home.example", "outcome", "refused", "detail", "WRONG_PASSCODE"));
    JsonNode lines = get(REALM + "/token-reports/failures").get("lines");
    assertThat(lines.size()).isEqualTo(1000);
    assertThat(lines.get(0).get("key").asString()).isEqualTo("(others)");
    assertThat(lines.get(0).get("failures").asInt()).isEqualTo(50);
    assertThat(lines.get(1).get("key").asString()).as("strangers take no line of people away").isEqualTo("alice");
    assertThat(lines.get(1).get("failures").asInt()).isEqualTo(2);
    assertThat(admin.authorized("GET", REALM + "/token-reports/failures?format=csv").body()).contains("\ncarol@home.example,1,WRONG_PASSCODE 1\n");
  }
}
