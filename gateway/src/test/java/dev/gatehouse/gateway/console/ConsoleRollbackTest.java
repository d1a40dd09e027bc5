package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.common.revision.StoredRealms.Change;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.revision.StoredConfiguration;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way back to a revision, over the configuration of a node in its database. */
class ConsoleRollbackTest {

  private static final InstantSource NOW = InstantSource.fixed(Instant.parse("2026-11-23T16:00:00Z"));
  private static final String DEMO = "realms/demo.yaml";
  private static final String REALM =
      """
      sp:
        publicUrl: http://app.localhost:8000
        identityProvider: https://idp.example.org
      partners:
        - entityId: https://idp.example.org
          displayName: <script>alert(1)</script>
          metadata: {url: "https://idp.example.org/metadata"}
      routes:
        - path: /
          upstream: http://127.0.0.1:9000
      """;
  private static final Pattern IF_MATCH = Pattern.compile("name=\"ifMatch\" value=\"&quot;(\\d+)&quot;\"");

  @TempDir Path folder;
  private final Database database = Database.inMemory();
  private final RevisionStore store = new RevisionStore(database, SealingKey.inMemory(new SecureRandom()), NOW);
  private StoredRealms realms;
  private TestAdmin admin;

  @BeforeEach
  void start() throws IOException, ConfigurationInvalid {
    Path config = folder.resolve("config");
    Files.createDirectories(config.resolve("realms"));
    Files.writeString(config.resolve("gatehouse.yaml"), "configuration: {source: database}\ndata: ../data\nroles: [sp, gateway]\n");
    Files.writeString(config.resolve(DEMO), REALM);
    ConfigurationFiles files = new ConfigurationFiles(config, Map.of());
    Node node = files.loadNode().node();
    realms = StoredRealms.open(files, node, store, new RecordingAuditLog(), NOW);
    admin =
        new TestAdmin(
            folder.resolve("admin"),
            beans -> {
              beans.registerBean(RevisionStore.class, () -> store);
              beans.registerBean(StoredRealms.class, () -> realms);
              beans.registerBean(Realms.class, () -> realms.inUse());
              beans.registerBean(
                  ConfigurationControl.class, () -> new StoredConfiguration(realms, beans.getBean(AdministratorGrants.class)));
            });
    change("http://127.0.0.1:9001");
    change("http://127.0.0.1:9002");
  }

  @AfterEach
  void stop() {
    admin.close();
    database.close();
  }

  private void change(String upstream) {
    byte[] text = REALM.replace("http://127.0.0.1:9000", upstream).getBytes(StandardCharsets.UTF_8);
    ProposedChange change = new ProposedChange(realms.number(), Map.of(DEMO, text), true, Map.of(), "ops", "to " + upstream, ChangeScope.all());
    assertThat(realms.apply(change)).isInstanceOf(Change.Applied.class);
  }

  private String upstream() {
    return realms.inUse().find("demo").orElseThrow().gateway().routes().getFirst().upstream().servers().getFirst().url().toString();
  }

  private static String ifMatch(HttpResponse<String> page) {
    Matcher field = IF_MATCH.matcher(page.body());
    assertThat(field.find()).as(page.body()).isTrue();
    return "\"" + field.group(1) + "\"";
  }

  @Test
  void goingBackSaysFirstWhatItChangesAndThenChangesIt() throws IOException, InterruptedException {
    ConsoleBrowser browser = ConsoleBrowser.loggedIn(admin.port(), admin.key);
    assertThat(browser.get("/console/revisions").body()).contains("to http://127.0.0.1:9002", "in use");
    HttpResponse<String> one = browser.get("/console/revisions/1");
    assertThat(one.body()).contains("/console/revisions/1/rollback");
    HttpResponse<String> question = browser.get("/console/revisions/1/rollback");
    assertThat(question.statusCode()).isEqualTo(200);
    assertThat(question.body()).contains("<del>http://127.0.0.1:9002</del>", "<ins>http://127.0.0.1:9000</ins>");
    assertThat(upstream()).endsWith("9002");
    HttpResponse<String> done = browser.post("/console/revisions/1/rollback", "ifMatch", ifMatch(question), "reason", "it was better");
    assertThat(done.headers().firstValue("Location")).hasValue("/console/revisions/4?done=rolled-back");
    assertThat(upstream()).endsWith("9000");
    assertThat(browser.get("/console/revisions/4?done=rolled-back").body()).contains("it was better", "as this new revision");
    Administered event = admin.audit.events(Administered.class).getLast();
    assertThat(event.action()).isEqualTo("configuration.rollback");
    assertThat(event.details()).containsEntry("reason", "it was better").containsEntry("role", "admin");
  }

  @Test
  void whatSomebodyElseChangedInBetweenIsShownAndNothingIsChanged() throws IOException, InterruptedException {
    ConsoleBrowser browser = ConsoleBrowser.loggedIn(admin.port(), admin.key);
    HttpResponse<String> question = browser.get("/console/revisions/1/rollback");
    change("http://127.0.0.1:9003");
    HttpResponse<String> conflict = browser.post("/console/revisions/1/rollback", "ifMatch", ifMatch(question));
    assertThat(conflict.statusCode()).isEqualTo(412);
    assertThat(conflict.body()).contains("Nothing was changed", "<del>http://127.0.0.1:9002</del>", "<ins>http://127.0.0.1:9003</ins>");
    assertThat(upstream()).endsWith("9003");
    HttpResponse<String> again = browser.get("/console/revisions/1/rollback");
    assertThat(browser.post("/console/revisions/1/rollback", "ifMatch", ifMatch(again)).statusCode()).isEqualTo(303);
    assertThat(upstream()).endsWith("9000");
  }

  @Test
  void anEntryIsRemovedUnlessSomebodyElseChangedSomethingInBetween() throws IOException, InterruptedException {
    ConsoleBrowser browser = ConsoleBrowser.loggedIn(admin.port(), admin.key);
    String entries = "/console/realms/demo/entries";
    String remove = entries + "/remove?kind=routes&id=%2F";
    assertThat(browser.get(entries + "?kind=routes").body()).contains("http://127.0.0.1:9002", remove.replace("&", "&amp;"));
    HttpResponse<String> question = browser.get(remove);
    assertThat(question.body()).contains("This removes the route.", "http://127.0.0.1:9002", "Remove now");
    change("http://127.0.0.1:9003");
    HttpResponse<String> stale = browser.post(entries + "/remove", "kind", "routes", "id", "/", "ifMatch", ifMatch(question));
    assertThat(stale.statusCode()).isEqualTo(412);
    assertThat(stale.body())
        .contains("nothing was removed", "<del>http://127.0.0.1:9002</del>", "<ins>http://127.0.0.1:9003</ins>", "Remove now");
    HttpResponse<String> done =
        browser.post(entries + "/remove", "kind", "routes", "id", "/", "ifMatch", ifMatch(stale), "reason", "not needed");
    assertThat(done.headers().firstValue("Location")).hasValue(entries + "?kind=routes&done=removed");
    assertThat(browser.get(entries + "?kind=routes&done=removed").body()).contains("The entry was removed").doesNotContain(remove);
    assertThat(browser.get("/console/revisions").body()).contains("not needed");
    HttpResponse<String> needed = browser.get(entries + "/remove?kind=partners&id=https%3A%2F%2Fidp.example.org");
    HttpResponse<String> invalid =
        browser.post(entries + "/remove", "kind", "partners", "id", "https://idp.example.org", "ifMatch", ifMatch(needed));
    assertThat(invalid.statusCode()).isEqualTo(422);
    assertThat(invalid.body()).contains("cannot be used", "identityProvider");
    String key = admin.key("viewer", List.of(AdministratorGrant.parse("viewer@demo")), Optional.empty());
    ConsoleBrowser viewer = ConsoleBrowser.loggedIn(admin.port(), key);
    assertThat(viewer.get(entries + "?kind=partners").body())
        .contains("https://idp.example.org", "&lt;script&gt;alert(1)").doesNotContain("Remove …", "<script>");
    assertThat(viewer.post(entries + "/remove", "kind", "partners", "id", "https://idp.example.org", "ifMatch", "\"5\"").statusCode())
        .isEqualTo(403);
  }

  @Test
  void theRevisionInUseHasNoButtonAndGoingBackToItChangesNothing() throws IOException, InterruptedException {
    ConsoleBrowser browser = ConsoleBrowser.loggedIn(admin.port(), admin.key);
    assertThat(browser.get("/console/revisions/3").body()).contains("in use").doesNotContain("/console/revisions/3/rollback");
    HttpResponse<String> same = browser.post("/console/revisions/3/rollback", "ifMatch", "\"3\"");
    assertThat(same.headers().firstValue("Location")).hasValue("/console/revisions?done=unchanged");
    assertThat(browser.get("/console/revisions?done=unchanged").body()).contains("nothing was changed");
    assertThat(realms.number()).isEqualTo(3);
  }

  @Test
  void withoutTheRevisionInUseOrTheRoleNothingIsChanged() throws IOException, InterruptedException {
    ConsoleBrowser browser = ConsoleBrowser.loggedIn(admin.port(), admin.key);
    assertThat(browser.post("/console/revisions/1/rollback").statusCode()).isEqualTo(428);
    assertThat(browser.post("/console/revisions/1/rollback", "ifMatch", "7").statusCode()).isEqualTo(400);
    assertThat(browser.post("/console/revisions/9/rollback", "ifMatch", "\"3\"").statusCode()).isEqualTo(404);
    String key = admin.key("operator", List.of(AdministratorGrant.parse("operator")), Optional.empty());
    ConsoleBrowser operator = ConsoleBrowser.loggedIn(admin.port(), key);
    assertThat(operator.get("/console/revisions/1").body()).contains("Revision").doesNotContain("/console/revisions/1/rollback");
    assertThat(operator.get("/console/revisions/1/rollback").statusCode()).isEqualTo(403);
    assertThat(operator.post("/console/revisions/1/rollback", "ifMatch", "\"3\"").statusCode()).isEqualTo(403);
    assertThat(upstream()).endsWith("9002");
  }
}
