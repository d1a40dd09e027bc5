package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import dev.gatehouse.common.revision.RevisionStore;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A node with its configuration in the database: by the commands, by REST, after a restart, and back to files. */
@Timeout(120)
class DatabaseConfigurationTest {

  private static final String PARTNER = "partners:\n  - {entityId: \"https://new.example.org\", displayName: New}\n";

  @TempDir Path folder;
  private Path config;
  private Path proposal;
  private RunningNode node;
  private String key;
  private final HttpClient http = HttpClient.newHttpClient();
  private CommandFolder commands;
  private StringWriter out;
  private StringWriter err;

  @BeforeEach
  void start() throws IOException {
    commands = new CommandFolder(folder, "configuration: {source: database}\n");
    out = commands.out;
    err = commands.err;
    config = commands.config;
    proposal = commands.proposal;
    node = RunningNode.start(config, Map.of());
    AdministratorKeys keys = new AdministratorKeys(folder.resolve("data"), InstantSource.system(), new SecureRandom());
    key = ((Creation.Created) keys.create("ann")).secret();
  }

  @AfterEach
  void stop() {
    node.close();
    http.close();
  }

  private int run(String command, String... arguments) {
    List<String> line = new ArrayList<>(List.of(command, "--config", config.toString()));
    line.addAll(List.of(arguments));
    return commands.run(line.toArray(String[]::new));
  }

  private void change(String old, String replacement) throws IOException {
    commands.change(old, replacement);
  }

  private HttpResponse<String> send(String method, String path, String ifMatch, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.ports().admin() + "/admin/v1/" + path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body));
    if (!ifMatch.isEmpty()) {
      request.header("If-Match", ifMatch);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private String body(String text) {
    return JsonMapper.shared().writeValueAsString(Map.of("files", List.of(Map.of("path", "realms/demo.yaml", "text", text)), "reason", "by REST"));
  }

  private Realm demo() {
    return node.get(RealmsInUse.class).find("demo").orElseThrow();
  }

  private List<String> partners() {
    return demo().parties().partners().stream().map(partner -> partner.entityId()).toList();
  }

  @Test
  void theCommandsChangeItAndBringItBack() throws IOException {
    assertThat(run("apply", proposal.toString())).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).contains("Nothing differs from revision 1.");
    change("partners:\n", PARTNER);
    assertThat(run("plan", proposal.toString())).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).contains("+ demo: partner https://new.example.org", "1 change in 1 file against revision 1.");
    assertThat(partners()).doesNotContain("https://new.example.org");
    assertThat(run("apply", proposal.toString(), "--reason", "A new partner")).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).contains("+ demo: partner https://new.example.org", "Revision 2 is in use.");
    assertThat(partners()).contains("https://new.example.org");
    assertThat(node.get(RevisionStore.class).find(2)).map(Revision::reason).contains("A new partner");
    assertThat(run("apply", proposal.toString(), "--expect", "1")).isEqualTo(1);
    assertThat(err.toString()).contains("Revision 2 is in use, and the change was made for 1.");
    assertThat(run("rollback", "1")).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).contains("- demo: partner https://new.example.org", "Revision 3 is in use.");
    assertThat(partners()).doesNotContain("https://new.example.org");
  }

  @Test
  void aWrongConfigurationChangesNothing() throws IOException {
    change("partners:\n", "partners:\n  - {entityId: nothing}\n");
    assertThat(run("apply", proposal.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("partners[0].entityId", "1 problem: nothing was changed.");
    assertThat(node.get(RevisionStore.class).latest()).map(Revision::number).contains(1L);
  }

  @Test
  void anExportCanBeAppliedAgain() throws IOException {
    change("base: dc=example,dc=org\n", "base: dc=example,dc=org\n  bindDn: cn=gatehouse,dc=example,dc=org\n  bindPassword: hunter22 # changed in May\n");
    assertThat(run("apply", proposal.toString())).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).doesNotContain("hunter22");
    Path target = folder.resolve("exported");
    assertThat(run("export", target.toString())).as(() -> out + err.toString()).isZero();
    assertThat(target.resolve("realms/demo.yaml")).content().contains("bindPassword: {secret: demo.directory.directory.bindPassword}").doesNotContain("hunter22");
    assertThat(run("apply", target.toString())).as(() -> out + err.toString()).isZero();
    assertThat(out.toString()).contains("Nothing differs from revision 2.");
    assertThat(demo().directory().orElseThrow().bindPassword().orElseThrow().value()).isEqualTo("hunter22");
  }

  @Test
  void aChangeNamesTheRevisionThatItWasMadeFor() throws Exception {
    String text = Files.readString(CommandFolder.SAMPLE.resolve("realms/demo.yaml"));
    String changed = body(text.replace("Sample app", "Another app"));
    HttpResponse<String> without = send("POST", "revisions", "", changed);
    assertThat(without.statusCode()).isEqualTo(428);
    assertThat(without.body()).contains("\\\"1\\\" is in use");
    assertThat(send("POST", "revisions", "1", changed).statusCode()).isEqualTo(400);
    HttpResponse<String> applied = send("POST", "revisions", "\"1\"", changed);
    assertThat(applied.statusCode()).as(applied.body()).isEqualTo(201);
    assertThat(applied.headers().firstValue("ETag")).contains("\"2\"");
    assertThat(applied.headers().firstValue("Location")).contains("/admin/v1/revisions/2");
    HttpResponse<String> late = send("POST", "revisions", "\"1\"", body(text.replace("Sample app", "A third app")));
    assertThat(late.statusCode()).isEqualTo(412);
    assertThat(late.body()).contains("\"inUse\":2", "Another app", "displayName");
    assertThat(send("POST", "revisions/1/rollback", "\"1\"", "").statusCode()).isEqualTo(412);
    HttpResponse<String> back = send("POST", "revisions/1/rollback?reason=wrong", "\"2\"", "");
    assertThat(back.statusCode()).as(back.body()).isEqualTo(201);
    assertThat(send("GET", "revisions/3", "", "").body()).contains("\"author\":\"ann\"", "\"reason\":\"wrong\"");
    assertThat(send("GET", "revisions", "", "").body()).contains("\"inUse\":3");
  }

  @Test
  void entriesAreChangedOneByOne() throws Exception {
    String partners = "configuration/realms/demo/partners";
    String id = "https%3A%2F%2Fnew.example.org";
    HttpResponse<String> list = send("GET", partners, "", "");
    assertThat(list.headers().firstValue("ETag")).contains("\"1\"");
    assertThat(list.body()).contains("\"id\":\"http://app.localhost:8000/.gatehouse/saml/metadata\"", "\"release\":[\"uid\",\"mail\",\"roles\",\"groups\"]");
    String entry = "{\"entityId\":\"https://new.example.org\",\"displayName\":\"New\",\"release\":[\"uid\"]}";
    assertThat(send("PUT", partners + "/entry?id=" + id, "", entry).statusCode()).isEqualTo(428);
    assertThat(send("PUT", partners + "/entry?id=other", "\"1\"", entry).statusCode()).isEqualTo(400);
    HttpResponse<String> put = send("PUT", partners + "/entry?id=" + id, "\"1\"", entry);
    assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
    assertThat(partners()).contains("https://new.example.org");
    assertThat(send("PUT", partners + "/entry?id=" + id, "\"2\"", entry).statusCode()).as("idempotent").isEqualTo(200);
    assertThat(send("PUT", partners + "/entry?id=" + id, "\"1\"", entry).statusCode()).isEqualTo(412);
    HttpResponse<String> patched = send("PATCH", partners + "/entry?id=" + id, "\"2\"", "{\"displayName\":null,\"release\":[\"uid\",\"mail\"]}");
    assertThat(patched.statusCode()).as(patched.body()).isEqualTo(201);
    assertThat(send("GET", partners + "/entry?id=" + id, "", "").body())
        .contains("{\"entityId\":\"https://new.example.org\",\"release\":[\"uid\",\"mail\"]}");
    HttpResponse<String> wrong = send("PATCH", partners + "/entry?id=" + id, "\"3\"", "{\"colour\":\"blue\"}");
    assertThat(wrong.statusCode()).isEqualTo(422);
    assertThat(wrong.body()).contains("partners[1].colour", "is not a known key");
    assertThat(send("DELETE", partners + "/entry?id=" + id, "\"3\"", "").statusCode()).isEqualTo(201);
    assertThat(partners()).doesNotContain("https://new.example.org");
    assertThat(send("DELETE", partners + "/entry?id=" + id, "\"4\"", "").statusCode()).isEqualTo(404);
    assertThat(send("GET", "configuration/realms/demo/people", "", "").statusCode()).isEqualTo(404);
    assertThat(send("GET", "configuration/realms/none/partners", "", "").statusCode()).isEqualTo(404);
    // Comments and everything else are what they were.
    assertThat(send("GET", "revisions/4/diff?against=1", "", "").body()).contains("\"changes\":[]", "\"files\":[]");
  }

  @Test
  void aSecretIsWrittenAndNeverReturned() throws Exception {
    HttpResponse<String> put = send("PUT", "secrets/LDAP_PASSWORD", "", "{\"text\":\"hunter22\"}");
    assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
    String text = Files.readString(CommandFolder.SAMPLE.resolve("realms/demo.yaml"));
    String bind = "  base: dc=example,dc=org\n  bindDn: cn=gatehouse,dc=example,dc=org\n  bindPassword: {secret: LDAP_PASSWORD}\n";
    HttpResponse<String> applied = send("POST", "revisions", "\"1\"", body(text.replaceFirst(" {2}base: dc=example,dc=org\n", bind)));
    assertThat(applied.statusCode()).as(applied.body()).isEqualTo(201);
    assertThat(send("DELETE", "secrets/LDAP_PASSWORD", "", "").statusCode()).isEqualTo(409);
    assertThat(send("PUT", "secrets/LDAP_PASSWORD", "", "{\"text\":\"hunter23\"}").headers().firstValue("ETag")).contains("\"3\"");
    assertThat(demo().directory().orElseThrow().bindPassword().orElseThrow().value()).isEqualTo("hunter23");
    assertThat(send("PUT", "secrets/..%2Fx", "", "{\"text\":\"x\"}").statusCode()).isEqualTo(400);
    assertThat(send("PUT", "secrets/x", "", "{\"text\":\"x\",\"base64\":\"eA==\"}").statusCode()).isEqualTo(400);
    for (String path : List.of("secrets", "revisions", "revisions/2/files", "revisions/3/files", "revisions/3/diff", "revisions/2/diff", "configuration")) {
      HttpResponse<String> shown = send("GET", path, "", "");
      assertThat(shown.statusCode()).as(path).isEqualTo(200);
      assertThat(shown.body()).as(path).doesNotContain("hunter22", "hunter23");
    }
    assertThat(send("GET", "secrets", "", "").body()).contains("\"name\":\"LDAP_PASSWORD\",\"inUse\":true,\"author\":\"ann\"");
    assertThat(Files.readString(folder.resolve("data/audit/audit.jsonl"))).contains("secret.put", "configuration.apply").doesNotContain("hunter2");
  }

  private HttpResponse<String> get(int port, String host, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).header("Host", host).build();
    return http.send(request, BodyHandlers.ofString());
  }

  private String health() throws Exception {
    return get(node.ports().admin(), "localhost", "/actuator/health").body();
  }

  /** Of all that the node has, only the database is lost; then it is there again. */
  private void loseTheDatabase() throws Exception {
    Path file = folder.resolve("data/h2/gatehouse.mv.db");
    Path elsewhere = folder.resolve("elsewhere");
    Files.move(file, elsewhere);
    Eventually.holds(() -> health().contains("\"database\":{\"status\":\"DOWN\""));
    assertThat(partners()).as("the last revision is in use").contains("https://new.example.org");
    assertThat(get(node.ports().idp().getFirst(), "idp.localhost:8080", "/realms/demo/login").statusCode()).isEqualTo(200);
    assertThat(get(node.ports().metrics().orElseThrow(), "localhost", "/metrics").statusCode()).isEqualTo(200);
    String realm = body(Files.readString(CommandFolder.SAMPLE.resolve("realms/demo.yaml")));
    for (HttpResponse<String> refused :
        List.of(send("GET", "revisions", "", ""), send("POST", "revisions", "\"2\"", realm), send("PUT", "secrets/x", "", "{\"text\":\"x\"}"))) {
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
      assertThat(refused.body()).contains("The database cannot be used at the moment.");
    }
    Files.move(elsewhere, file);
    Eventually.holds(() -> health().contains("\"database\":{\"status\":\"UP\""));
    assertThat(send("GET", "revisions", "", "").body()).contains("\"inUse\":2");
  }

  @Test
  void aLostDatabaseAndARestartKeepItAndFilesDoNotMatter() throws Exception {
    change("partners:\n", PARTNER);
    assertThat(run("apply", proposal.toString())).as(() -> out + err.toString()).isZero();
    loseTheDatabase();
    node.close();
    Files.writeString(config.resolve("realms/demo.yaml"), "nonsense");
    node = RunningNode.start(config, Map.of());
    assertThat(partners()).contains("https://new.example.org");
    assertThat(send("GET", "revisions", "", "").body()).contains("\"inUse\":2");
  }

  @Test
  void afterATimeInFilesTheyAreImportedAgain() throws Exception {
    change("partners:\n", PARTNER);
    assertThat(run("apply", proposal.toString())).as(() -> out + err.toString()).isZero();
    node.close();
    Path yaml = config.resolve("gatehouse.yaml");
    String database = Files.readString(yaml);
    Files.writeString(yaml, database.replace("source: database", "source: files"));
    node = RunningNode.start(config, Map.of());
    assertThat(partners()).doesNotContain("https://new.example.org");
    Eventually.holds(() -> node.get(RevisionStore.class).latest().orElseThrow().number() == 3);
    assertThat(run("apply", proposal.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("The configuration is read from files: change those in " + config);
    node.close();
    Files.writeString(yaml, database);
    node = RunningNode.start(config, Map.of());
    assertThat(partners()).doesNotContain("https://new.example.org");
    assertThat(node.get(RevisionStore.class).latest()).map(Revision::reason).hasValueSatisfying(reason -> assertThat(reason).startsWith("Imported from "));
  }
}
