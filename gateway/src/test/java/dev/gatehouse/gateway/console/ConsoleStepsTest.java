package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.otp.replica.OtpOverview;
import dev.gatehouse.common.postgres.LiveNodes;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.gateway.admin.TestAdmin;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Steps of the console that end, remove or switch something: each says first what it does to whom, and needs its role. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleStepsTest {

  private static final String REALM = "/console/realms/demo";
  private static final String ACCESS = REALM + "/people/access";

  private Path data;
  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path folder) {
    data = folder;
    admin =
        new TestAdmin(
            folder,
            beans -> {
              beans.registerBean(LiveNodes.class, HostileNames.Nodes::new);
              beans.registerBean(OtpOverview.Source.class, () -> () -> Optional.of(HostileNames.otpServers()));
            });
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  @BeforeEach
  void clean() {
    admin.audit.clear();
    admin.logins.people.clear();
    admin.authorizations.all.clear();
    admin.appSecrets.all.clear();
    admin.dropped().clear();
    admin.grants().all("demo").forEach(grant -> admin.grants().remove("demo", grant.person(), Optional.empty(), true));
  }

  private ConsoleBrowser as(String grants) throws IOException, InterruptedException {
    new AdministratorKeys(data, new TestTime(), RandomGenerator.of("SecureRandom")).revoke(grants);
    List<AdministratorGrant> parsed = Arrays.stream(grants.split(" ")).map(AdministratorGrant::parse).toList();
    return ConsoleBrowser.loggedIn(admin.port(), admin.key(grants, parsed, Optional.empty()));
  }

  private static String query(String path, String... fields) {
    return path + "?" + ConsoleBrowser.form(fields);
  }

  private Administered last() {
    return admin.audit.events(Administered.class).stream().filter(event -> !event.action().equals("person.show")).toList().getLast();
  }

  // --- administrators ---

  @Test
  void aRoleIsGivenAndTakenAfterAPageThatSaysWhoGetsOrLosesWhat() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    admin.grant(admin.logins.add("root"), "admin");
    admin.logins.add("carol");
    String grant = "/console/administrators/grant";
    String question = browser.get(query(grant, "person", "carol", "role", "operator", "realm", "demo", "days", "7")).body();
    assertThat(question).contains("carol (carol-id) becomes an administrator", ">operator@demo until 2026-01-08T12:00:00Z<", "Give the role");
    assertThat(admin.grants().all("demo")).hasSize(1);
    assertThat(browser.post(grant, "person", "carol-id", "role", "operator", "realm", "demo", "until", "2026-01-08T12:00:00Z").statusCode())
        .isEqualTo(303);
    assertThat(last().details()).containsEntry("before", "-").containsEntry("after", "operator@demo until 2026-01-08T12:00:00Z");
    assertThat(browser.get("/console/administrators?done=granted").body()).contains("The role was given.", "carol-id", "Operator", ">root<");

    assertThat(browser.get(query(grant, "person", "carol", "role", "viewer", "realm", "demo")).body())
        .contains("has a role here already", "operator@demo until 2026-01-08T12:00:00Z → viewer@demo");
    assertThat(browser.get(query(grant, "person", "carol", "role", "viewer")).body()).contains(">viewer<", "all realms");

    String revoke = "/console/administrators/revoke";
    assertThat(browser.get(query(revoke, "person", "carol-id", "realm", "demo")).body()).contains("carol (carol-id) loses these roles", "operator@demo");
    assertThat(browser.post(revoke, "person", "carol-id", "realm", "demo").statusCode()).isEqualTo(303);
    assertThat(admin.grants().all("demo")).singleElement().matches(left -> left.name().equals("root"));
    assertThat(browser.get(query(revoke, "person", "carol-id")).statusCode()).as("nothing to take").isEqualTo(404);
    HttpResponse<String> lastOne = browser.post(revoke, "person", "root-id");
    assertThat(lastOne.statusCode()).isEqualTo(409);
    assertThat(lastOne.body()).contains("Nobody else has the role admin in all realms");
  }

  @Test
  void whatIsWrongInAGrantIsSaidBesideTheForm() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    admin.logins.add("carol");
    String grant = "/console/administrators/grant";
    HttpResponse<String> nobody = browser.get(query(grant, "person", "nobody", "role", "viewer", "realm", "demo"));
    assertThat(nobody.statusCode()).isEqualTo(404);
    assertThat(nobody.body()).contains("There is no such person", "value=\"nobody\"");
    for (String days : List.of("0", "3651", "-1", "x", "99999999999999999999")) {
      HttpResponse<String> wrong = browser.get(query(grant, "person", "carol", "role", "viewer", "days", days));
      assertThat(wrong.statusCode()).as(days).isEqualTo(400);
      assertThat(wrong.body()).contains("is a number from 1 to 3650");
    }
    assertThat(browser.get(query(grant, "person", "carol", "role", "root")).body()).contains("is not a role");
    assertThat(browser.post(grant, "person", "carol", "role", "viewer", "until", "tomorrow").statusCode()).isEqualTo(400);
    assertThat(admin.grants().all("demo")).isEmpty();
  }

  @Test
  void administratorsOfARealmGiveAndTakeThereAlone() throws IOException, InterruptedException {
    Person root = admin.logins.add("root");
    admin.grant(root, "admin");
    admin.grant(admin.logins.add("dora"), "viewer@demo");
    ConsoleBrowser browser = as("admin@demo");
    assertThat(browser.get("/console/administrators").body()).contains("dora").doesNotContain(">root<", "Take all", "<option value=\"\"");
    for (String path :
        List.of(
            query("/console/administrators/grant", "person", "dora", "role", "admin"),
            query("/console/administrators/grant", "person", "dora", "role", "admin", "realm", "other"),
            query("/console/administrators/revoke", "person", "root-id"))) {
      assertThat(browser.get(path).statusCode()).as(path).isEqualTo(403);
    }
    assertThat(browser.post("/console/administrators/grant", "person", "dora", "role", "admin").statusCode()).isEqualTo(403);
    assertThat(browser.post("/console/administrators/grant?realm=demo", "person", "dora", "role", "admin").statusCode()).isEqualTo(403);
    assertThat(browser.post("/console/administrators/revoke", "person", "dora-id").statusCode()).isEqualTo(403);
    assertThat(browser.post("/console/administrators/revoke", "person", "dora-id", "realm", "demo").statusCode()).isEqualTo(303);
    for (String role : List.of("viewer", "helpdesk", "operator")) {
      assertThat(as(role).get("/console/administrators").statusCode()).as(role).isEqualTo(403);
      assertThat(as(role).get("/console/").body()).doesNotContain("/console/administrators");
    }
  }

  // --- a person ---

  @Test
  void whatBelongsToAPersonEndsAfterAPageThatSaysWhat() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin@demo");
    admin.authorizations.add("a1", "alice", "wiki", "openid", "mail");
    admin.appSecrets.add("a11ce", "payroll", "password");
    admin.link("https://club.example", "alice", "x-7");
    assertThat(browser.get(REALM + "/people?name=alice").body()).contains(ACCESS + "?name=alice");
    assertThat(browser.get(query(ACCESS, "name", "alice")).body())
        .contains("Phone", "Unused recovery codes: 7", "wiki", "https://club.example", "payroll");

    String end = ACCESS + "/end";
    assertThat(browser.get(query(end, "name", "alice", "what", "authorization", "id", "a1")).body())
        .contains("what alice let a client do", "wiki: openid mail", "End now");
    assertThat(admin.authorizations.all).hasSize(1);
    HttpResponse<String> ended = browser.post(end, "name", "alice", "what", "authorization", "id", "a1");
    assertThat(ended.headers().firstValue("Location")).hasValue(ACCESS + "?name=alice&done=authorization");
    assertThat(browser.get(ACCESS + "?name=alice&done=authorization").body()).contains("The authorization has ended");
    assertThat(admin.authorizations.all).isEmpty();
    assertThat(last().action()).isEqualTo("authorization.end");

    assertThat(browser.get(query(end, "name", "alice", "what", "app-secrets", "id", "payroll")).body()).contains("payroll: password");
    assertThat(browser.post(end, "name", "alice", "what", "app-secrets", "id", "payroll").statusCode()).isEqualTo(303);
    String link = query(end, "name", "alice", "what", "federation", "id", "x-7", "kind", "links", "partner", "https://club.example");
    assertThat(as("operator@demo").get(link).statusCode()).as("as by REST").isEqualTo(403);
    assertThat(browser.get(link).body()).contains("https://club.example: x-7", "has to link the account again");
    assertThat(
            browser
                .post(end, "name", "alice", "what", "federation", "id", "x-7", "kind", "links", "partner", "https://club.example")
                .statusCode())
        .isEqualTo(303);
    assertThat(browser.get(query(ACCESS, "name", "alice")).body()).contains("Laptop", "Counts as a second factor", "what=passkey&amp;id=k1");
    assertThat(browser.get(query(end, "name", "alice", "what", "passkey", "id", "k1")).body()).contains("Laptop", "Other passkeys and the password stay");
    assertThat(browser.post(end, "name", "alice", "what", "passkey", "id", "k1").statusCode()).isEqualTo(303);
    assertThat(last().action()).isEqualTo("passkeys.remove");
    assertThat(browser.get(query(end, "name", "alice", "what", "passkey", "id", "k1")).statusCode()).as("gone").isEqualTo(404);
    assertThat(browser.get(query(end, "name", "alice", "what", "second-factor")).body()).contains("Phone", "Make sure that you speak with the person");
    assertThat(browser.post(end, "name", "alice", "what", "second-factor").statusCode()).isEqualTo(303);
    assertThat(browser.get(query(ACCESS, "name", "alice")).body()).contains("No authenticator app").doesNotContain("payroll", "wiki", "club.example");
    assertThat(browser.get(query(end, "name", "alice", "what", "second-factor")).statusCode()).isEqualTo(404);
    assertThat(browser.get(query(ACCESS, "name", "nobody")).body()).contains("There is nothing of anybody called that");
  }

  @Test
  void authorizationsAreListedAndFoundByPerson() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("helpdesk@demo");
    admin.authorizations.add("a1", "alice", "wiki", "openid");
    admin.authorizations.add("a2", "bob", "mailer", "openid");
    assertThat(browser.get(REALM + "/authorizations").body()).contains("alice", "wiki", "bob", "mailer", "what=authorization&amp;id=a1");
    assertThat(browser.get(REALM + "/authorizations?q=bob").body()).contains("mailer").doesNotContain("wiki");
    assertThat(as("viewer@demo").get(REALM + "/authorizations").statusCode()).isEqualTo(403);
    assertThat(as("viewer@demo").get(query(ACCESS, "name", "alice")).statusCode()).isEqualTo(403);
    assertThat(as("admin@other").get(REALM + "/authorizations").statusCode()).isEqualTo(403);
  }

  @Test
  void nobodyEndsWhatAMorePowerfulPersonLetAClientDo() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("helpdesk");
    admin.grant(admin.logins.add("root"), "admin");
    admin.authorizations.add("a1", "root", "wiki", "openid");
    HttpResponse<String> refused = browser.post(ACCESS + "/end", "name", "root", "what", "authorization", "id", "a1");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("only administrators with that role may do this");
    assertThat(browser.post(ACCESS + "/end", "name", "other", "what", "authorization", "id", "a1").statusCode()).as("by another name").isEqualTo(403);
    assertThat(admin.authorizations.all).hasSize(1);
    assertThat(as("admin").post(ACCESS + "/end", "name", "root", "what", "authorization", "id", "a1").statusCode()).isEqualTo(303);
  }

  // --- traffic of apps ---

  @Test
  void aServerIsDrainedAndEnabledAgain() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("operator");
    assertThat(browser.get("/console/upstreams").body()).contains("http://10.0.0.1:8080", "Running: 3", "/health", "Drain …");
    String drain = "/console/upstreams/drain";
    assertThat(browser.get(query(drain, "server", "10.0.0.1:8080")).body()).contains("sends no new requests to 10.0.0.1:8080", "Drain now");
    assertThat(browser.post(drain, "server", "10.0.0.1:8080", "to", "drain").statusCode()).isEqualTo(303);
    assertThat(browser.get("/console/upstreams?done=drained").body()).contains("no new requests", "draining", "Enable …");
    assertThat(browser.get(query(drain, "server", "10.0.0.1:8080")).body()).contains("gets requests again");
    assertThat(browser.post(drain, "server", "10.0.0.1:8080", "to", "use").statusCode()).isEqualTo(303);
    assertThat(last().action()).isEqualTo("upstream.undrain");
    assertThat(browser.get(query(drain, "server", "10.0.0.9:1")).statusCode()).isEqualTo(404);
    ConsoleBrowser viewer = as("viewer operator@demo");
    assertThat(viewer.get("/console/upstreams").body()).contains("http://10.0.0.1:8080").doesNotContain("Drain …");
    assertThat(viewer.get(query(drain, "server", "10.0.0.1:8080")).statusCode()).isEqualTo(403);
    assertThat(viewer.post(drain, "server", "10.0.0.1:8080").statusCode()).isEqualTo(403);
    assertThat(as("viewer@other").get("/console/upstreams").body()).doesNotContain("10.0.0.1");
  }

  @Test
  void aNodeIsDrainedAndBroughtBackFromAnyNode() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("operator");
    String page = browser.get("/console/nodes").body();
    assertThat(page).contains("Revision 7", "Version 1.0", "in service", "drained", "gone", "Does for all nodes", "Bring back …").doesNotContain("<script>alert");
    String drain = "/console/nodes/drain";
    assertThat(browser.get(query(drain, "index", "0")).body()).contains("Drain a node", "Drain now");
    assertThat(browser.post(drain, "index", "0", "to", "drain").headers().firstValue("Location")).contains("/console/nodes?done=drained");
    assertThat(last().action()).isEqualTo("node.drain");
    assertThat(last().details()).containsEntry("node", "0").containsEntry("before", "in service").containsEntry("after", "drained");
    assertThat(browser.get("/console/nodes?done=drained").body()).contains("drains itself within a second");
    assertThat(browser.get(query(drain, "index", "0")).body()).contains("Bring a node back");
    assertThat(browser.post(drain, "index", "0", "to", "back").statusCode()).isEqualTo(303);
    assertThat(last().action()).isEqualTo("node.undrain");
    assertThat(browser.get(query(drain, "index", "2")).statusCode()).as("a node that is gone").isEqualTo(404);
    assertThat(browser.post(drain, "index", "x").statusCode()).isEqualTo(404);
    ConsoleBrowser viewer = as("viewer operator@demo");
    assertThat(viewer.get("/console/nodes").body()).contains("Revision 7").doesNotContain("Drain …");
    assertThat(viewer.post(drain, "index", "0", "to", "drain").statusCode()).isEqualTo(403);
    ConsoleBrowser ofRealm = as("admin@demo");
    assertThat(ofRealm.get("/console/nodes").statusCode()).isEqualTo(403);
    assertThat(ofRealm.get("/console/").body()).doesNotContain("/console/nodes");
  }

  @Test
  void serversOfOneTimePasswordsAreShownToWhoSeesTheWholeNode() throws IOException, InterruptedException {
    String page = as("viewer").get("/console/nodes").body();
    assertThat(page)
        .contains("Servers for one-time passwords", "Epoch 2", "Connected, 16 bytes behind", "3 uses of tokens", "7 marks of codes")
        .contains("isolated", "keeps 9000000 bytes", "brought up anew", "not heard")
        .doesNotContain("<script>alert");
    assertThat(as("admin@demo").get("/console/nodes").statusCode()).isEqualTo(403);
  }

  @Test
  void storedResponsesAreRemoved() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("operator@demo");
    String purge = REALM + "/cache/purge";
    assertThat(browser.get(REALM + "/cache").body()).contains("Stored responses", "Remove all of this realm");
    assertThat(browser.get(query(purge, "url", "https://app.example/a?b=c")).body()).contains("stored responses of the address https://app.example/a?b=c");
    assertThat(admin.dropped()).isEmpty();
    HttpResponse<String> done = browser.post(purge, "url", "https://app.example/a?b=c");
    assertThat(done.headers().firstValue("Location")).hasValue(REALM + "/cache?dropped=1");
    assertThat(browser.get(REALM + "/cache?dropped=1").body()).contains("Removed: 1.");
    assertThat(browser.get(query(purge, "all", "true")).body()).contains("all stored responses of this realm");
    assertThat(browser.post(purge, "all", "true").statusCode()).isEqualTo(303);
    assertThat(admin.dropped()).containsExactly("https://app.example/a?b=c", "all");
    assertThat(browser.get(purge).statusCode()).isEqualTo(400);
    assertThat(browser.post(purge, "url", "https://a/", "tag", "x").statusCode()).isEqualTo(400);
    ConsoleBrowser viewer = as("viewer@demo");
    assertThat(viewer.get(REALM + "/cache").body()).contains("Stored responses").doesNotContain("/cache/purge");
    assertThat(viewer.post(purge, "all", "true").statusCode()).isEqualTo(403);
  }

  @Test
  void maintenanceIsSwitchedForAWhileAndBackToTheConfiguration() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("operator@demo");
    String route = TestRealms.demo().gateway().routes().getFirst().name();
    String page = query(REALM + "/maintenance", "route", route);
    String change = REALM + "/maintenance/switch";
    assertThat(browser.get(page).body()).contains("The app is served.", "The configuration says so.", "Switch on …");
    assertThat(browser.get(query(change, "route", route, "to", "on", "minutes", "30")).body())
        .contains("gets the maintenance page (503)", "2026-01-01T12:30:00Z", "Switch on");
    assertThat(browser.post(change, "route", route, "to", "on", "until", "2026-01-01T12:30:00Z").statusCode()).isEqualTo(303);
    assertThat(last().action()).isEqualTo("maintenance.on");
    assertThat(browser.get(page + "&done=on").body()).contains("Maintenance is switched on.", "People get the maintenance page.", "12:30", "As configured …");
    assertThat(browser.post(change, "route", route, "to", "clear").statusCode()).isEqualTo(303);
    assertThat(browser.get(page).body()).contains("The configuration says so.");
    assertThat(browser.get(query(change, "route", route, "to", "on", "minutes", "0")).statusCode()).isEqualTo(400);
    assertThat(browser.get(query(change, "route", route, "to", "up")).statusCode()).isEqualTo(400);
    assertThat(browser.post(change, "route", route, "to", "on", "until", "x").statusCode()).isEqualTo(400);
    assertThat(browser.get(query(REALM + "/maintenance", "route", "none")).statusCode()).isEqualTo(404);
    assertThat(as("viewer@demo").get(page).body()).doesNotContain("/maintenance/switch");
    assertThat(as("viewer@demo").post(change, "route", route, "to", "on").statusCode()).isEqualTo(403);
  }

  // --- clients, and the rest ---

  @Test
  void aRegisteredClientIsRemoved() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin@demo");
    String remove = REALM + "/clients/remove";
    assertThat(browser.get(REALM + "/clients").body()).contains("value=\"c2\"", "Remove …");
    assertThat(browser.get(query(remove, "id", "c2")).body()).contains("removes the client An app", "https://app.example/callback");
    assertThat(browser.post(remove, "id", "c2").statusCode()).isEqualTo(303);
    assertThat(browser.get(REALM + "/clients").body()).doesNotContain("value=\"c2\"");
    assertThat(browser.get(query(remove, "id", "c2")).statusCode()).isEqualTo(404);
    assertThat(as("operator@demo").get(REALM + "/clients").body()).doesNotContain("Remove …");
    assertThat(as("operator@demo").post(remove, "id", "c1").statusCode()).isEqualTo(403);
  }

  @Test
  void theAuditLogIsArchivedAfterAPageThatSaysWhatGoes() throws IOException, InterruptedException {
    assertThat(as("admin").get("/console/jobs/audit-archive").body()).contains("removed from the log", "Archive now");
    assertThat(as("operator").get("/console/jobs/audit-archive").statusCode()).isEqualTo(403);
  }
}
