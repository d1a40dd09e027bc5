package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.otp.replica.OtpOverview;
import dev.gatehouse.common.postgres.LiveNodes;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.refusal.RefusalTrace;
import dev.gatehouse.common.refusal.RefusalTraces;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.gateway.admin.TestAdmin;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console over a running admin listener, where the configuration is read from files. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleTest {

  private static final String HOSTILE = HostileNames.TEXT;
  private static final String HOSTILE_ID = HostileNames.ID;
  private static final String REALM = "/console/realms/demo";

  private Path data;
  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path folder) {
    data = folder;
    admin = new TestAdmin(folder, beans -> {
      beans.registerBean(PartnerRegistry.class, HostilePartners::new);
      beans.registerBean(RefusalTraces.class, HostileRefusals::new);
      beans.registerBean(AdminResource.RegisteredClients.class, HostileNames.Clients::new);
      beans.registerBean(LiveNodes.class, HostileNames.Nodes::new);
      beans.registerBean(OtpOverview.Source.class, () -> () -> Optional.of(HostileNames.otpServers()));
    });
    for (String url : List.of("ldap://one", "ldap://two")) {
      TreeMap<String, FileTree.File> files = new TreeMap<>();
      String text = "directory:\n  urls: " + url + " # " + HOSTILE + "\n  bindPassword: hunter2\n";
      files.put("realms/demo.yaml", new FileTree.File(text.getBytes(StandardCharsets.UTF_8), false));
      admin.revisions().add(new FileTree(files), "ops", url + HOSTILE);
    }
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  @BeforeEach
  void clean() {
    admin.audit.clear();
    admin.audit.breakDown(false);
    admin.wrongKeys.set(0);
    admin.problems.clear();
    admin.idpSessions.sessions.clear();
    admin.appSessions.sessions.clear();
  }

  private ConsoleBrowser as(String grants) throws IOException, InterruptedException {
    AdministratorKeys keys = new AdministratorKeys(data, new TestTime(), RandomGenerator.of("SecureRandom"));
    keys.revoke(grants);
    List<AdministratorGrant> parsed = List.of(grants.split(" ")).stream().map(AdministratorGrant::parse).toList();
    return ConsoleBrowser.loggedIn(admin.port(), admin.key(grants, parsed, Optional.empty()));
  }

  // --- logging in and out ---

  @Test
  void aRightKeyOpensASessionWhoseCookieStaysWithTheConsole() throws IOException, InterruptedException {
    ConsoleBrowser browser = new ConsoleBrowser(admin.port());
    HttpResponse<String> login = browser.logIn(" " + admin.key + "\n");
    assertThat(login.statusCode()).isEqualTo(303);
    assertThat(login.headers().firstValue("Location")).hasValue("/console/");
    assertThat(login.headers().firstValue("Set-Cookie").orElse(""))
        .matches("gh_admin=[A-Za-z0-9_-]{43}; Path=/console/; HttpOnly; SameSite=Strict");
    HttpResponse<String> overview = browser.get("/console/");
    assertThat(overview.statusCode()).isEqualTo(200);
    assertThat(overview.body()).contains(">Overview</h1>", ">Stores<", "not fetched yet");
    assertThat(admin.audit.events(Administered.class)).extracting(Administered::action, Administered::administrator).containsExactly(
        org.assertj.core.api.Assertions.tuple("console.login", "ops"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/console", "/console/", "/console/realms", "/console/realms/demo", "/console/people", "/console/none", "/console/logout"})
  void withoutASessionThereIsTheLoginPageOnly(String path) throws IOException, InterruptedException {
    ConsoleBrowser browser = new ConsoleBrowser(admin.port());
    browser.cookie = "gh_admin=" + "A".repeat(43);
    HttpResponse<String> sent = browser.get(path);
    assertThat(sent.statusCode()).isEqualTo(303);
    assertThat(sent.body()).isEmpty();
    assertThat(browser.post(path).statusCode()).isEqualTo(303);
    HttpResponse<String> login = browser.get("/console/login");
    assertThat(login.statusCode()).isEqualTo(200);
    assertThat(login.body()).contains("name=\"key\"");
  }

  @Test
  void noSpellingOfAPathPassesWithoutASession() throws IOException, InterruptedException {
    ConsoleBrowser browser = new ConsoleBrowser(admin.port());
    for (String path : List.of("/console;x/realms", "/%63onsole/realms", "//console/realms", "/console//realms", "/console/login/..;/realms", "/console/login/")) {
      HttpResponse<String> sent = browser.get(path);
      assertThat(sent.statusCode()).as(path).isBetween(303, 499);
      assertThat(sent.body()).as(path).doesNotContain("demo");
    }
  }

  @Test
  void aWrongKeyIsRefusedAuditedAndSlowed() throws IOException, InterruptedException {
    ConsoleBrowser browser = new ConsoleBrowser(admin.port());
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> wrong = browser.logIn("gha_wrong");
      assertThat(wrong.statusCode()).isEqualTo(403);
      assertThat(wrong.body()).contains("This administrator key is not known here.").doesNotContain("gha_wrong");
      assertThat(wrong.headers().firstValue("Set-Cookie")).isEmpty();
    }
    assertThat(admin.audit.events(MessageRefused.class).getFirst().reason()).isEqualTo("ADMINISTRATOR_KEY_UNKNOWN");
    HttpResponse<String> slowed = browser.logIn("gha_wrong");
    assertThat(slowed.statusCode()).isEqualTo(429);
    assertThat(slowed.headers().firstValue("Retry-After")).hasValue("42");
    assertThat(browser.logIn(admin.key).statusCode()).isEqualTo(303);
    assertThat(browser.logIn("").statusCode()).isEqualTo(400);
  }

  @Test
  void aLoginThatCannotBeAuditedDoesNotHappen() throws IOException, InterruptedException {
    admin.audit.breakDown(true);
    ConsoleBrowser browser = new ConsoleBrowser(admin.port());
    for (String key : List.of(admin.key, "gha_wrong")) {
      HttpResponse<String> refused = browser.logIn(key);
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
    }
  }

  @Test
  void aLoginFormOfAnotherSiteIsRefused() throws IOException, InterruptedException {
    ConsoleBrowser browser = new ConsoleBrowser(admin.port());
    for (String site : List.of("cross-site", "same-site", "none", "")) {
      browser.site = site;
      HttpResponse<String> refused = browser.logIn(admin.key);
      assertThat(refused.statusCode()).as(site).isEqualTo(403);
      assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
    }
  }

  @Test
  void loggingOutEndsTheSession() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    String held = browser.cookie;
    HttpResponse<String> out = browser.post("/console/logout");
    assertThat(out.statusCode()).isEqualTo(303);
    assertThat(out.headers().firstValue("Set-Cookie").orElse("")).startsWith("gh_admin=; ").endsWith("Max-Age=0");
    browser.cookie = held;
    assertThat(browser.get("/console/").statusCode()).isEqualTo(303);
  }

  @Test
  void aRevokedKeyEndsItsSessions() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("operator");
    assertThat(browser.get("/console/realms").statusCode()).isEqualTo(200);
    new AdministratorKeys(data, new TestTime(), RandomGenerator.of("SecureRandom")).revoke("operator");
    assertThat(browser.get("/console/realms").statusCode()).isEqualTo(303);
  }

  @Test
  void aSessionOfTheConsoleDoesNotOpenTheRestInterfaceAndAKeyNotTheConsole() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    assertThat(browser.get("/admin/v1/realms").statusCode()).isEqualTo(401);
    assertThat(admin.authorized("GET", "/console/realms").statusCode()).isEqualTo(303);
  }

  // --- forms ---

  @Test
  void aFormThatNoPageOfOursSentChangesNothing() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    admin.appSessions.add("s1", "alice");
    String path = "/console/realms/demo/people/end";
    assertThat(browser.send("POST", path, ConsoleBrowser.form("name", "alice")).statusCode()).isEqualTo(403);
    assertThat(browser.send("POST", path, ConsoleBrowser.form("name", "alice", "csrf", "x")).statusCode()).isEqualTo(403);
    String other = as("admin@demo").csrf;
    assertThat(browser.send("POST", path, ConsoleBrowser.form("name", "alice", "csrf", other)).statusCode()).isEqualTo(403);
    browser.get("/console/");
    browser.site = "same-site";
    assertThat(browser.post(path, "name", "alice").statusCode()).isEqualTo(403);
    assertThat(browser.post("/console/logout").statusCode()).isEqualTo(403);
    assertThat(browser.send("DELETE", path, "").statusCode()).isEqualTo(403);
    assertThat(admin.appSessions.sessions).hasSize(1);
    browser.site = "same-origin";
    assertThat(browser.post(path, "name", "alice").statusCode()).isEqualTo(303);
    assertThat(admin.appSessions.sessions).isEmpty();
  }

  @Test
  void rolesOfAPersonAreReadAgain() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("helpdesk@demo");
    admin.appSessions.add("s1", "alice");
    String path = "/console/realms/demo/people/reread";
    assertThat(browser.get("/console/realms/demo/people?name=alice").body()).contains("action=\"" + path + "\"", "Read roles again");
    assertThat(browser.send("POST", path, ConsoleBrowser.form("name", "alice")).statusCode()).as("forged").isEqualTo(403);
    HttpResponse<String> done = browser.post(path, "name", "alice");
    assertThat(done.statusCode()).isEqualTo(303);
    assertThat(browser.get(done.headers().firstValue("Location").orElseThrow()).body()).contains("Sessions changed: 1.", "Sessions ended: 0.");
    assertThat(as("viewer@demo").post(path, "name", "alice").statusCode()).isEqualTo(403);
    assertThat(as("helpdesk@other").post(path, "name", "alice").statusCode()).isEqualTo(403);
  }

  @Test
  void aPersonsDataAreErasedAfterAPageThatSaysWhatGoes() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    admin.appSessions.add("s1", "alice");
    String path = "/console/realms/demo/people/data";
    assertThat(browser.get("/console/realms/demo/people?name=alice").body()).contains(path + "?name=alice");
    assertThat(browser.get(path + "?name=alice").body()).contains("Sessions", "Erase now", "<dd>1</dd>");
    HttpResponse<String> file = browser.get(path + "/export?name=alice");
    assertThat(file.headers().firstValue("Content-Disposition")).hasValue("attachment; filename=\"person-data.json\"");
    assertThat(file.body()).contains("\"s1\"");
    assertThat(browser.send("POST", path, ConsoleBrowser.form("name", "alice")).statusCode()).as("forged").isEqualTo(403);
    assertThat(admin.appSessions.sessions).hasSize(1);
    assertThat(browser.post(path, "name", "alice").body()).contains("was removed").doesNotContain("Erase now");
    assertThat(admin.appSessions.sessions).isEmpty();
    assertThat(as("helpdesk@demo").get("/console/realms/demo/people?name=alice").body()).doesNotContain(path);
    for (String role : List.of("helpdesk@demo", "operator", "admin@other")) {
      ConsoleBrowser other = as(role);
      assertThat(other.get(path + "?name=bob").statusCode()).as(role).isEqualTo(403);
      assertThat(other.get(path + "/export?name=bob").statusCode()).as(role).isEqualTo(403);
      assertThat(other.post(path, "name", "bob").statusCode()).as(role).isEqualTo(403);
    }
  }

  @Test
  void aFormThatIsTooLongOrMalformedIsRefused() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    assertThat(browser.post("/console/realms/demo/route", "url", "x".repeat(70_000)).statusCode()).isEqualTo(413);
    assertThat(browser.send("POST", "/console/realms/demo/route", "csrf=a&csrf=b").statusCode()).isEqualTo(400);
    assertThat(browser.send("POST", "/console/login", "key=a&key=b").statusCode()).isEqualTo(400);
    assertThat(browser.post("/console/realms/demo/people/end", "name", "a", "session", "s1").statusCode()).isEqualTo(400);
  }

  // --- roles ---

  @Test
  void aViewerSeesNoButtonsAndIsRefusedByTheServer() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("viewer@demo");
    admin.appSessions.add("s1", "alice");
    String body = browser.get("/console/realms/demo").body();
    assertThat(body).contains("Partners").doesNotContain("/console/people", "/console/realms/demo/people", "/console/revisions");
    for (String path : List.of("/console/people", "/console/realms/demo/people?name=alice", "/console/revisions", "/console/revisions/1", "/console/revisions/1/rollback")) {
      assertThat(browser.get(path).statusCode()).as(path).isEqualTo(403);
    }
    HttpResponse<String> refused = browser.post("/console/realms/demo/people/end", "name", "alice");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("This needs the role helpdesk in the realm demo", "Reference in the log");
    assertThat(browser.post("/console/revisions/1/rollback", "ifMatch", "\"2\"").statusCode()).isEqualTo(403);
    assertThat(admin.appSessions.sessions).hasSize(1);
    assertThat(admin.audit.events(MessageRefused.class).getLast().reason()).isEqualTo("ADMINISTRATOR_ROLE_MISSING");
  }

  @Test
  void anotherRealmIsNotShown() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin@other");
    for (String path : List.of("/console/", "/console/realms", "/console/people")) {
      assertThat(browser.get(path).body()).as(path).doesNotContain("demo", "not fetched yet");
    }
    for (String path : List.of("", "/partners", "/partner?id=x", "/clients", "/routes", "/route?name=x", "/people", "/people/end?name=alice", "/keys")) {
      assertThat(browser.get("/console/realms/demo" + path).statusCode()).as(path).isEqualTo(403);
    }
    assertThat(browser.post("/console/realms/demo/route", "name", "x", "url", "http://app.localhost/").statusCode()).isEqualTo(403);
    assertThat(browser.post("/console/realms/demo/people/end", "name", "alice").statusCode()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({
    "viewer@demo, VVVVVVVV--------VV---",
    "helpdesk@demo, VVVVVVVVVVV---VVVVVV-",
    "operator@demo, VVVVVVVVVVV---VVVVVV-",
    "admin@demo, VVVVVVVVVVV---VVVVVV-",
    "viewer, VVVVVVVV---VV---VV---",
    "operator, VVVVVVVVVVVVV-VVVVVV-",
    "admin, VVVVVVVVVVVVVVVVVVVVV"
  })
  void eachPageIsForItsRoles(String role, String may) throws IOException, InterruptedException {
    admin.appSessions.add("s1", "alice");
    String realm = "/console/realms/demo";
    List<String> paths =
        List.of(
            "/console/", "/console/realms", realm, realm + "/partners", realm + "/partner?" + ConsoleBrowser.form("id", HOSTILE_ID),
            realm + "/clients", realm + "/routes", route(), "/console/people", realm + "/people?name=alice", realm + "/people/end?name=alice",
            "/console/revisions", "/console/revisions/1", "/console/revisions/1/rollback", "/console/request", "/console/request?id=hostile",
            "/console/charts?realm=demo", connect(), "/console/audit", "/console/audit/export", realm + "/add");
    ConsoleBrowser browser = as(role);
    StringBuilder found = new StringBuilder();
    for (String path : paths) {
      found.append(browser.get(path).statusCode() == 403 ? '-' : 'V');
    }
    assertThat(found.toString()).isEqualTo(may);
  }

  @Test
  void eachPageHasTheNavigationOfItsRole() throws IOException, InterruptedException {
    assertThat(as("viewer").get("/console/").body()).contains("/console/revisions").doesNotContain("/console/people");
    assertThat(as("helpdesk@demo").get("/console/").body()).contains("/console/people").doesNotContain("/console/revisions");
  }

  // --- the script ---

  @Test
  void theScriptIsServedToThoseWithASessionAndStaysInTheBrowser() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("viewer@demo");
    HttpResponse<String> script = browser.get(ConsoleAssets.HTMX);
    assertThat(script.statusCode()).isEqualTo(200);
    assertThat(script.headers().firstValue("Content-Type").orElse("")).startsWith("text/javascript");
    assertThat(script.headers().firstValue("Cache-Control").orElse("")).contains("private", "immutable");
    assertThat(script.body()).contains("htmx");
    for (String file : List.of("none.js", "..%2fx", "htmx.js.map")) {
      assertThat(browser.get("/console/assets/" + file).statusCode()).as(file).isBetween(400, 404);
    }
    assertThat(new ConsoleBrowser(admin.port()).get(ConsoleAssets.HTMX).statusCode()).isEqualTo(303);
  }

  @Test
  void aScriptWhoseSessionIsOverGetsTheLoginPageInPlaceOfAPart() throws IOException, InterruptedException {
    HttpResponse<String> over = admin.send("GET", "/console/realms/demo/partners?q=a", "HX-Request", "true");
    assertThat(over.statusCode()).isEqualTo(401);
    assertThat(over.headers().firstValue("HX-Redirect")).hasValue("/console/login");
    assertThat(over.body()).isEmpty();
  }

  // --- pages ---

  @Test
  void everyPageIsWithinTheContentSecurityPolicyAndShowsNamesAsText() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    admin.appSessions.add("s1", HOSTILE);
    admin.authorizations.add("a1", HOSTILE, HOSTILE, HOSTILE);
    admin.appSecrets.add(HOSTILE, HOSTILE, HOSTILE);
    admin.passkeys.add(HOSTILE, HostileNames.ID, HOSTILE);
    admin.link(HOSTILE_ID, HOSTILE, HOSTILE);
    admin.grant(admin.logins.add(HOSTILE), "helpdesk@demo");
    admin.keyRings().of(TestRealms.demo()).current(KeyUse.IDP_SIGNING);
    admin.problems.add(new Problem(Path.of("realms/demo.yaml"), 7, "routes[0].path", HOSTILE, "right it"));
    String name = ConsoleBrowser.form("name", HOSTILE);
    for (String path : HostileNames.pages()) {
      HttpResponse<String> page = browser.get(path);
      if (page.statusCode() == 303) {
        page = browser.get(page.headers().firstValue("Location").orElseThrow());
      }
      assertThat(page.statusCode()).as(path + page.body()).isEqualTo(200);
      assertThat(page.headers().firstValue("Content-Security-Policy").orElse("")).as(path)
          .startsWith("default-src 'none'; base-uri 'none'").contains("frame-ancestors 'none'", "form-action 'self'").doesNotContain("unsafe", "nonce");
      assertThat(page.body()).as(path).doesNotContain("hx-on", "hx-vals='js", "hx-vals=\"js");
      assertThat(page.headers().firstValue("X-Frame-Options")).hasValue("DENY");
      assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
      String script = path.endsWith("/login") ? "" : "<script src=\"" + ConsoleAssets.HTMX + "\" defer></script>";
      assertThat(page.body()).as(path).contains(script);
      assertThat(page.body().replace(script, "")).as(path).doesNotContain("<script", "<img", "??", "style=\"").doesNotContainPattern(">console\\.[a-z]");
    }
    String hostileId = ConsoleBrowser.form("id", HOSTILE);
    for (String wrong :
        List.of("/console/realms/demo/partner?" + hostileId, "/console/realms/" + "%3Cscript%3E", "/console/request?" + hostileId)) {
      HttpResponse<String> page = browser.get(wrong);
      assertThat(page.statusCode()).isEqualTo(404);
      assertThat(page.body()).contains("&lt;script&gt;").doesNotContain("<script>");
    }
    assertThat(browser.get("/console/realms/demo/partners").body()).contains("&lt;script&gt;alert(1)");
    assertThat(browser.get("/console/realms/demo/people?" + name).body()).contains("&lt;script&gt;alert(1)");
    for (String path : List.of("/authorizations", "/clients", "/people/access?" + name, "/people/access/end?what=authorization&id=a1&" + name)) {
      assertThat(browser.get(REALM + path).body()).as(path).contains("&lt;script&gt;alert(1)");
    }
    assertThat(browser.get("/console/administrators").body()).contains("&lt;script&gt;alert(1)");
    assertThat(browser.get("/console/revisions/2").body()).contains("&lt;script&gt;alert(1)").doesNotContain("hunter2");
    assertThat(browser.get("/console/request?id=hostile").body())
        .contains("ROLE_MISSING", "Denied", "&lt;script&gt;alert(1)", "Jan 1, 2026, 12:00", "Failed check", "(7 ms)");
  }

  @Test
  void noPageIsLeftOut() throws IOException {
    List<String> visited = HostileNames.pages().stream().map(path -> path.replaceFirst("\\?.*", "")).toList();
    List<String> pages =
        Files.readAllLines(Path.of("../docs/reference/endpoints.md")).stream()
            .filter(line -> line.matches("\\| `/console/[^|]*\\| GET.*"))
            .map(line -> line.replaceFirst("^\\| `([^`]+)`.*", "$1"))
            .filter(page -> !HostileNames.ELSEWHERE.contains(page))
            .toList();
    assertThat(pages)
        .hasSizeGreaterThan(30)
        .allMatch(page -> visited.stream().anyMatch(path -> path.matches(page.replaceAll("\\{\\w+}", "[^/]+"))));
  }

  @Test
  void eachStepOfAKeySaysFirstWhatItDoesToWhom() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin@demo");
    KeyRings rings = admin.keyRings();
    rings.of(TestRealms.demo()).current(KeyUse.IDP_SIGNING);
    String step = "/console/realms/demo/keys/step";
    assertThat(browser.get("/console/realms/demo").body()).contains("/console/realms/demo/keys");
    assertThat(browser.get("/console/realms/demo/keys").body()).contains("IDP_SIGNING", "Make the next key", "use=IDP_SIGNING&amp;step=prepare");
    assertThat(browser.get(step + "?use=IDP_SIGNING&step=prepare").body()).contains("publishes it in the metadata", "nobody is disturbed");
    assertThat(browser.post(step, "use", "IDP_SIGNING", "step", "prepare").statusCode()).isEqualTo(303);
    HttpResponse<String> question = browser.get(step + "?use=IDP_SIGNING&step=promote");
    assertThat(question.body()).contains("Not everybody is safe", "Concerned", "&lt;script&gt;alert(1)", "Do it now nevertheless").doesNotContain("<script>", "PRIVATE");
    assertThat(browser.post(step, "use", "IDP_SIGNING", "step", "promote").statusCode()).isEqualTo(409);
    assertThat(browser.post(step, "use", "IDP_SIGNING", "step", "promote", "now", "true").statusCode()).isEqualTo(303);
    assertThat(browser.get("/console/realms/demo/keys?done=promote").body()).contains("The new key is in use", "previous");
    browser.language = "de";
    assertThat(browser.get(step + "?use=IDP_SIGNING&step=retire").body()).contains("endgültig entfernt").doesNotContainPattern(">console\\.[a-z]");
    assertThat(as("operator@demo").get("/console/realms/demo/keys").body()).doesNotContain(step);
    assertThat(as("operator@demo").get(step + "?use=IDP_SIGNING&step=retire").statusCode()).isEqualTo(403);
    assertThat(as("operator@demo").post(step, "use", "IDP_SIGNING", "step", "retire", "now", "true").statusCode()).isEqualTo(403);
  }

  @Test
  void pagesAreInGermanForThoseWhoPreferIt() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    browser.language = "de-AT,de;q=0.9,en;q=0.5";
    HttpResponse<String> overview = browser.get("/console/");
    assertThat(overview.headers().firstValue("Content-Language")).hasValue("de");
    assertThat(overview.body()).contains("<html lang=\"de\"", ">Übersicht</h1>", "Partner ohne brauchbare Metadaten", "Abmelden");
    assertThat(browser.get("/console/none").body()).contains("Das gibt es nicht");
  }

  @Test
  void theOverviewSaysWhatNeedsAttention() throws IOException, InterruptedException {
    admin.problems.add(new Problem(Path.of("realms/demo.yaml"), 7, "routes[0].path", "is wrong", "right it"));
    String body = as("viewer").get("/console/").body();
    assertThat(body).contains("is wrong", "right it", "not fetched yet", ">Audit log<", "Not healthy:")
        .doesNotContain("Nothing needs your attention");
  }

  @Test
  void whatIfSaysWhy() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("viewer@demo");
    String page = browser.get(route()).body();
    assertThat(page).contains("What if");
    String name = TestRealms.demo().gateway().routes().getFirst().name();
    HttpResponse<String> answer = browser.post("/console/realms/demo/route", "name", name, "url", "http://nothing.example/");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("Denied", "HOST_UNKNOWN");
    assertThat(admin.audit.events(Administered.class).getLast().action()).isEqualTo("decision.ask");
    HttpResponse<String> wrong = browser.post("/console/realms/demo/route", "name", name, "url", "nonsense");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("is not an absolute http or https URL", "value=\"nonsense\"");
  }

  @Test
  void endingSessionsSaysFirstWhatItWillDo() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("helpdesk@demo");
    admin.appSessions.add("s1", "alice");
    admin.idpSessions.add("s2", "alice");
    admin.idpSessions.add("s3", "bob");
    assertThat(browser.get("/console/realms/demo/people?name=alice").body()).contains("identity provider", "gateway", "End all sessions");
    String question = browser.get("/console/realms/demo/people/end?name=alice&kind=app&session=s1").body();
    assertThat(question).contains("This ends one session of alice");
    assertThat(admin.appSessions.sessions).hasSize(1);
    HttpResponse<String> ended = browser.post("/console/realms/demo/people/end", "name", "alice", "kind", "app", "session", "s1");
    assertThat(ended.headers().firstValue("Location")).hasValue("/console/realms/demo/people?name=alice&ended=1");
    assertThat(admin.appSessions.sessions).isEmpty();
    assertThat(admin.idpSessions.sessions).hasSize(2);
    Administered event = admin.audit.events(Administered.class).getLast();
    assertThat(event.action()).isEqualTo("session.end");
    assertThat(event.details()).containsEntry("role", "helpdesk");
    assertThat(browser.get("/console/realms/demo/people/end?name=alice").body()).contains("This ends all sessions of alice");
    assertThat(browser.post("/console/realms/demo/people/end", "name", "alice").statusCode()).isEqualTo(303);
    assertThat(admin.idpSessions.sessions).extracting(s -> s.name()).containsExactly("bob");
    assertThat(browser.get("/console/realms/demo/people/end?name=alice").statusCode()).isEqualTo(404);
  }

  @Test
  void filesAreChangedWhereTheyAre() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    assertThat(browser.get("/console/revisions/1").body())
        .contains("change those in /etc/gatehouse")
        .doesNotContain("/console/revisions/1/rollback");
    assertThat(browser.get("/console/revisions/1/rollback").statusCode()).isEqualTo(409);
    HttpResponse<String> refused = browser.post("/console/revisions/1/rollback", "ifMatch", "\"2\"");
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(refused.body()).contains("change those in /etc/gatehouse");
    assertThat(browser.get("/console/revisions/9").statusCode()).isEqualTo(404);
    assertThat(browser.get("/console/revisions/x").statusCode()).isEqualTo(400);
  }

  @Test
  void aChangeThatCannotBeAuditedIs503() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    admin.appSessions.add("s1", "alice");
    admin.audit.breakDown(true);
    HttpResponse<String> refused = browser.post("/console/realms/demo/people/end", "name", "alice");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("The audit log cannot be written");
    assertThat(admin.appSessions.sessions).hasSize(1);
  }

  private static String connect() {
    return "/console/realms/demo/connect?kind=routes&" + ConsoleBrowser.form("id", TestRealms.demo().gateway().routes().getFirst().name());
  }

  private static String route() {
    return "/console/realms/demo/route?" + ConsoleBrowser.form("name", TestRealms.demo().gateway().routes().getFirst().name());
  }

  /** A partner whose names are markup, and one without metadata. */
  private static final class HostilePartners implements PartnerRegistry {
    private static final PartnerConfig PLAIN = TestRealms.partner(HOSTILE_ID, "http://evil.example/metadata", Map.of());

    @Override
    public Optional<Partner> find(String name, String entityId) {
      return all(name).stream().filter(p -> p.entityId().equals(entityId)).findFirst();
    }

    @Override
    public List<Partner> all(String name) {
      PartnerConfig hostile =
          new PartnerConfig(
              PLAIN.entityId(), Optional.of(HOSTILE), PLAIN.metadata(), PLAIN.release(), PLAIN.nameId(), PLAIN.logout(),
              PLAIN.asServiceProvider(), PLAIN.asIdentityProvider(), false);
      PartnerConfig absent = TestRealms.partner("https://absent.example", "http://absent.example/metadata", Map.of());
      return List.of(
          new Partner(hostile, new Partner.MetadataState.Usable(SamlFixtures.spMetadata(), TestTime.START, Optional.of(HOSTILE))),
          new Partner(absent, new Partner.MetadataState.Unusable("not fetched yet")));
    }

    @Override
    public Result<PartnerMetadata, SamlRefusal> metadata(String name, String entityId) {
      return new Result.Refused<>(new SamlRefusal(SamlRefusal.Reason.PARTNER_UNKNOWN, entityId));
    }
  }

  /** A refusal with texts that clients, partners and people choose. */
  private static final class HostileRefusals implements RefusalTraces {

    @Override
    public void record(RefusalTrace trace) {}

    @Override
    public List<RefusalTrace> find(String requestId) {
      return requestId.equals("hostile") ? List.of(HOSTILE_REFUSAL) : List.of();
    }

    @Override
    public int forget(String realm, String person) {
      return 0;
    }

    private static final RefusalTrace HOSTILE_REFUSAL =
        new RefusalTrace(
            "hostile", TestTime.START, "demo", new RefusalTrace.Asked(HOSTILE, "https://app", "/" + HOSTILE, "192.0.2.1", HOSTILE),
            new RefusalTrace.Refused(403, "ROLE_MISSING", HOSTILE, HOSTILE_ID, HOSTILE),
            Optional.of(new RefusalTrace.Subject(HOSTILE, HOSTILE, "s1", HOSTILE_ID, List.of(HOSTILE), Optional.of(HOSTILE))),
            Optional.of(
                new RefusalTrace.Decided(
                    "deny", HOSTILE, HOSTILE, List.of(new RefusalTrace.Rule(HOSTILE, HOSTILE, "permit", false, List.of(HOSTILE))),
                    List.of(HOSTILE))),
            Optional.of(
                new RefusalTrace.Assertion(
                    HOSTILE_ID, HOSTILE, TestTime.START, Optional.empty(), Optional.of(TestTime.START), List.of(HOSTILE),
                    Optional.of(HOSTILE), Optional.of(HOSTILE))),
            Optional.of(new RefusalTrace.Upstream(HOSTILE, 7)));
  }
}
