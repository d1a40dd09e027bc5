package dev.gatehouse.gateway.admin.revision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.gateway.admin.TestAdmin;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Revisions over HTTP: pages, files and differences, all without secrets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RevisionEndpointTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String REALM = "directory:\n  urls: ldap://one  # kept\n  bindPassword: hunter2\n";

  private TestAdmin admin;

  /** Nothing here changes the configuration. */
  @BeforeAll
  void start(@TempDir Path data) {
    admin = new TestAdmin(data);
    add("ldap://one", "first");
    add("ldap://two", "second");
    add("ldap://three", "third");
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  @BeforeEach
  void clean() {
    admin.audit.clear();
    admin.problems.clear();
  }

  private void add(String url, String reason) {
    TreeMap<String, FileTree.File> files = new TreeMap<>();
    files.put("realms/demo.yaml", new FileTree.File(REALM.replace("ldap://one", url).getBytes(StandardCharsets.UTF_8), false));
    files.put("logo.png", new FileTree.File(new byte[] {0, 1, (byte) 200}, false));
    files.put("realm.key", new FileTree.File("a key".getBytes(StandardCharsets.UTF_8), true));
    admin.revisions().add(new FileTree(files), "ops", reason);
  }

  @Test
  void theNewestComesFirstAndPagesContinue() throws IOException, InterruptedException {
    JsonNode page = get("/admin/v1/revisions?limit=2");
    assertThat(page.get("revisions")).extracting(revision -> revision.get("number").asInt()).containsExactly(3, 2);
    assertThat(page.get("revisions").get(0).get("reason").asString()).isEqualTo("third");
    JsonNode last = get("/admin/v1/revisions?limit=2&after=" + page.get("next").asString());
    assertThat(last.get("revisions")).extracting(revision -> revision.get("number").asInt()).containsExactly(1);
    assertThat(last.has("next")).isFalse();
    assertThat(status("/admin/v1/revisions?after=x")).isEqualTo(400);
  }

  @Test
  void oneRevisionHasAuthorTimeAndReason() throws IOException, InterruptedException {
    JsonNode one = get("/admin/v1/revisions/1");
    assertThat(one.get("author").asString()).isEqualTo("ops");
    assertThat(one.get("reason").asString()).isEqualTo("first");
    assertThat(status("/admin/v1/revisions/4")).isEqualTo(404);
    assertThat(status("/admin/v1/revisions/0/diff")).isEqualTo(404);
    assertThat(status("/admin/v1/revisions/x")).isEqualTo(400);
  }

  @Test
  void filesAreAsTheyWereWithoutSecrets() throws IOException, InterruptedException {
    String body = admin.authorized("GET", "/admin/v1/revisions/1/files").body();
    assertThat(body).doesNotContain("hunter2", "a key");
    Map<String, JsonNode> files = new TreeMap<>();
    JSON.readTree(body).get("files").forEach(file -> files.put(file.get("path").asString(), file));
    assertThat(Objects.requireNonNull(files.get("realms/demo.yaml")).get("text").asString()).isEqualTo(REALM.replace("hunter2", "\"***\""));
    assertThat(Objects.requireNonNull(files.get("logo.png")).get("base64").asString()).isEqualTo("AAHI");
    assertThat(Objects.requireNonNull(files.get("realm.key")).get("secret").asBoolean()).isTrue();
    assertThat(Objects.requireNonNull(files.get("realm.key")).has("text")).isFalse();
  }

  @Test
  void aDifferenceIsToldByKeysAndByLines() throws IOException, InterruptedException {
    JsonNode diff = get("/admin/v1/revisions/3/diff");
    assertThat(diff.get("before").asInt()).isEqualTo(2);
    JsonNode field = diff.get("changes").get(0).get("fields").get(0);
    assertThat(field.get("field").asString()).isEqualTo("directory.urls");
    assertThat(field.get("before").asString()).isEqualTo("ldap://two");
    assertThat(field.get("after").asString()).isEqualTo("ldap://three");
    assertThat(diff.get("files").get(0).get("diff").asString())
        .isEqualTo("@@ -1,3 +1,3 @@\n directory:\n-  urls: ldap://two  # kept\n+  urls: ldap://three  # kept\n   bindPassword: \"***\"\n");
    JsonNode wide = get("/admin/v1/revisions/3/diff?against=1");
    assertThat(wide.get("changes").get(0).get("fields").get(0).get("before").asString()).isEqualTo("ldap://one");
    assertThat(status("/admin/v1/revisions/3/diff?against=9")).isEqualTo(404);
  }

  @Test
  void aDryRunTellsTheDifferenceWithoutSecrets() throws IOException, InterruptedException {
    HttpResponse<String> response = propose("?dryRun=true", REALM.replace("ldap://one", "ldap://four").replace("hunter2", "hunter3"));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.body()).doesNotContain("hunter");
    JsonNode plan = JSON.readTree(response.body());
    assertThat(plan.get("before").asInt()).isEqualTo(3);
    assertThat(plan.get("problems")).isEmpty();
    assertThat(plan.get("changes").get(0).get("fields"))
        .extracting(field -> field.get("field").asString())
        .containsExactly("directory.bindPassword", "directory.urls");
    assertThat(get("/admin/v1/revisions").get("revisions")).hasSize(3);
    Administered asked = admin.audit.events(Administered.class).getLast();
    assertThat(asked.action()).isEqualTo("configuration.plan");
  }

  @Test
  void aDryRunWithProblemsIs422WithAllOfThem() throws IOException, InterruptedException {
    admin.problems.add(new Problem(Path.of("demo.yaml"), 7, "routes[0].path", "is wrong", "right it"));
    admin.problems.add(new Problem(Path.of("demo.yaml"), 8, "routes[1].path", "is wrong", "right it"));
    HttpResponse<String> response = propose("?dryRun=true", REALM);
    assertThat(response.statusCode()).isEqualTo(422);
    assertThat(JSON.readTree(response.body()).get("problems")).hasSize(2);
  }

  @Test
  void changesAreMadeInTheFiles() throws IOException, InterruptedException {
    HttpResponse<String> response = propose("", REALM);
    assertThat(response.statusCode()).isEqualTo(409);
    assertThat(response.body()).contains("change those in /etc/gatehouse");
    HttpResponse<String> back = admin.authorized("POST", "/admin/v1/revisions/1/rollback");
    assertThat(back.statusCode()).isEqualTo(409);
    assertThat(back.body()).contains("change those in /etc/gatehouse");
    assertThat(admin.authorized("POST", "/admin/v1/revisions/9/rollback").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"files\":[null]}",
        "{\"files\":[{\"text\":\"x\"}]}",
        "{\"files\":[{\"path\":\"a\"}]}",
        "{\"files\":[{\"path\":\"a\",\"text\":\"x\",\"base64\":\"eA==\"}]}",
        "{\"files\":[{\"path\":\"a\",\"base64\":\"?\"}]}",
        "{\"files\":[{\"path\":\"a\",\"text\":\"x\"},{\"path\":\"a\",\"text\":\"x\"}]}"
      })
  void whatIsNotAProposalIs400(String body) throws IOException, InterruptedException {
    assertThat(admin.post("/admin/v1/revisions?dryRun=true", body).statusCode()).isEqualTo(400);
  }

  private HttpResponse<String> propose(String query, String realm) throws IOException, InterruptedException {
    String body = JSON.writeValueAsString(Map.of("files", List.of(Map.of("path", "realms/demo.yaml", "text", realm))));
    return admin.post("/admin/v1/revisions" + query, body);
  }

  private int status(String path) throws IOException, InterruptedException {
    return admin.authorized("GET", path).statusCode();
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpResponse<String> response = admin.authorized("GET", path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }
}
