package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.FederationView;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.db.AdministratorGrants.PersonGrant;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.gateway.admin.FakePersonLogins;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.administrator.SetUpLink;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The login of people at the console, over a running admin listener, with a provider for which the test says who logs in. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PersonLoginTest {

  private static final AdminLogin LOGIN = new AdminLogin("demo", new Origin("http", "127.0.0.1", 8081));

  private final FakeAuthorizations authorizations = new FakeAuthorizations();
  private TestAdmin admin;

  /** Authorizations in memory; their ids are the names of people. */
  private static final class FakeAuthorizations implements AdminResource.OAuthAuthorizations {
    final List<String> people = new ArrayList<>();

    @Override
    public List<AdminResource.AuthorizationView> page(String realm, String after, int limit) {
      return people.stream().map(FakeAuthorizations::view).toList();
    }

    @Override
    public List<AdminResource.AuthorizationView> ofPerson(String realm, String person) {
      return find(realm, person).stream().toList();
    }

    @Override
    public Optional<AdminResource.AuthorizationView> find(String realm, String authorization) {
      return people.stream().filter(authorization::equals).map(FakeAuthorizations::view).findFirst();
    }

    @Override
    public boolean end(String realm, String authorization) {
      return people.remove(authorization);
    }

    private static AdminResource.AuthorizationView view(String name) {
      Instant at = TestTime.START;
      return new AdminResource.AuthorizationView(name, "app", name + "-id", name, List.of(), List.of(), false, false, at, at);
    }
  }

  /** Everybody has stored a password for each app. */
  private static final class FakeSecrets implements AdminResource.StoredSecrets {
    @Override
    public List<AdminResource.AppSecretView> ofPerson(String realm, String person) {
      return List.of(new AdminResource.AppSecretView("mail", "password", TestTime.START));
    }

    @Override
    public boolean remove(String realm, String person, String app, String administrator) {
      return true;
    }
  }

  @BeforeAll
  void start(@TempDir Path folder) {
    admin =
        new TestAdmin(
            folder,
            beans -> {
              beans.registerBean(AdminResource.OAuthAuthorizations.class, () -> authorizations);
              beans.registerBean(AdminResource.StoredSecrets.class, FakeSecrets::new);
            });
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
    admin.logins.people.clear();
    admin.logins.ended.clear();
    admin.logins.down = false;
    admin.appSessions.sessions.clear();
    admin.grants().all("demo").forEach(grant -> admin.grants().remove("demo", grant.person(), Optional.empty(), true));
  }

  /** A browser with the cookies of each path. */
  private final class Browser {
    private final HttpClient client = HttpClient.newHttpClient();
    final Map<String, String> cookies = new TreeMap<>();
    String site = "same-origin";

    /** Where the provider is, as seen from the console. */
    String provider = "cross-site";
    String csrf = "";

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
      return send("GET", path, "");
    }

    HttpResponse<String> send(String method, String path, String body, String... headers) throws IOException, InterruptedException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin.port() + path))
              .header("Accept", path.startsWith("/admin/") ? "application/json" : "text/html")
              .method(method, HttpRequest.BodyPublishers.ofString(body));
      if (!body.isEmpty()) {
        request.header("Content-Type", body.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded");
      }
      if (!site.isEmpty()) {
        request.header("Sec-Fetch-Site", site);
      }
      if (headers.length > 0) {
        request.headers(headers);
      }
      // A browser sends SameSite=Strict cookies only for requests that its own pages make.
      String sent =
          cookies.entrySet().stream()
              .filter(cookie -> path.startsWith(cookie.getKey().substring(0, cookie.getKey().indexOf(' '))))
              .filter(cookie -> !site.equals("cross-site") || cookie.getValue().startsWith("gh_admin_login="))
              .map(Map.Entry::getValue)
              .collect(Collectors.joining("; "));
      if (!sent.isEmpty()) {
        request.header("Cookie", sent);
      }
      HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      response.headers().allValues("Set-Cookie").forEach(this::keep);
      csrf = response.body().contains("name=\"csrf\" value=\"") ? response.body().replaceFirst("(?s).*?name=\"csrf\" value=\"([^\"]+)\".*", "$1") : csrf;
      return response;
    }

    private void keep(String set) {
      String name = set.substring(0, set.indexOf('='));
      String path = set.replaceFirst(".*Path=([^;]+).*", "$1");
      String value = set.substring(0, set.indexOf(';'));
      if (set.contains("Max-Age=0")) {
        cookies.remove(path + " " + name);
      } else {
        cookies.put(path + " " + name, value);
      }
    }

    /** Begins a login; returns the parameters of the authorization request. */
    Map<String, String> begin(String query) throws IOException, InterruptedException {
      HttpResponse<String> sent = get("/console/login/person" + query);
      assertThat(sent.statusCode()).isEqualTo(303);
      return request(sent.headers().firstValue("Location").orElse(""));
    }

    /** Comes back from the provider. */
    HttpResponse<String> comeBack(Map<String, String> request, String code) throws IOException, InterruptedException {
      String before = site;
      site = provider;
      HttpResponse<String> response =
          get("/console/login/callback?" + ConsoleBrowser.form("code", code, "state", Objects.requireNonNull(request.get("state")), "iss", FakePersonLogins.ISSUER));
      site = before;
      return response;
    }

    HttpResponse<String> logIn(Person person, String query) throws IOException, InterruptedException {
      Map<String, String> request = begin(query);
      return comeBack(request, admin.logins.issue(request, FakePersonLogins.login(person, admin.time.instant())));
    }
  }

  private static Map<String, String> request(String location) {
    assertThat(location).startsWith(FakePersonLogins.ISSUER + "/oauth/authorize?");
    Map<String, String> request = new HashMap<>();
    Parameters.parse(location.substring(location.indexOf('?') + 1)).all().forEach(sent -> request.put(sent.name(), sent.value()));
    return request;
  }

  private Browser as(String grant) throws IOException, InterruptedException {
    Person bob = admin.logins.add("bob");
    admin.grant(bob, grant);
    Browser browser = new Browser();
    assertThat(browser.logIn(bob, "").statusCode()).isEqualTo(200);
    browser.get("/console/");
    return browser;
  }

  // --- the login ---

  @Test
  void theRequestIsOfTheCodeFlowWithPkceStateAndNonce() throws IOException, InterruptedException {
    Browser browser = new Browser();
    assertThat(browser.get("/console/login").body()).contains("href=\"/console/login/person\"", "name=\"key\"");
    Map<String, String> one = browser.begin("");
    Map<String, String> other = browser.begin("");
    assertThat(one)
        .containsEntry("response_type", "code")
        .containsEntry("client_id", "gatehouse-console")
        .containsEntry("redirect_uri", LOGIN.redirectUri())
        .containsEntry("scope", "openid")
        .containsEntry("code_challenge_method", "S256")
        .doesNotContainKeys("max_age", "prompt");
    for (String secret : List.of("state", "nonce", "code_challenge")) {
      assertThat(one.get(secret)).hasSize(43).isNotEqualTo(other.get(secret));
    }
    assertThat(browser.cookies.keySet()).containsExactly("/console/login gh_admin_login");
    assertThat(browser.cookies.toString()).doesNotContain(other.get("state"), other.get("nonce"));
  }

  @Test
  void aPersonWithARoleGetsASessionForConsoleAndRest() throws IOException, InterruptedException {
    Person bob = admin.logins.add("bob");
    admin.grant(bob, "viewer");
    Browser browser = new Browser();
    HttpResponse<String> in = browser.logIn(bob, "?page=%2Fconsole%2Frealms");
    assertThat(in.statusCode()).isEqualTo(200);
    assertThat(in.headers().firstValue("Refresh")).hasValue("0;url=/console/realms");
    assertThat(in.headers().allValues("Set-Cookie"))
        .anyMatch(set -> set.matches("gh_admin=[A-Za-z0-9_-]{43}; Path=/console/; HttpOnly; SameSite=Strict"))
        .anyMatch(set -> set.matches("gh_admin=[A-Za-z0-9_-]{43}; Path=/admin/; HttpOnly; SameSite=Strict"))
        .anyMatch(set -> set.startsWith("gh_admin_login=; Path=/console/login; ") && set.endsWith("Max-Age=0"));
    assertThat(browser.get("/console/realms").body()).contains("(demo/bob)");
    assertThat(browser.get("/admin/v1/realms").statusCode()).isEqualTo(200);
    Administered login = admin.audit.events(Administered.class).getFirst();
    assertThat(login.administrator()).isEqualTo("demo/bob");
    assertThat(login.action()).isEqualTo("console.login");
    assertThat(login.details()).containsEntry("administratorId", "bob-id");
  }

  @Test
  void loggingOutEndsTheSessionForBoth() throws IOException, InterruptedException {
    Browser browser = as("viewer");
    Map<String, String> held = Map.copyOf(browser.cookies);
    assertThat(browser.send("POST", "/console/logout", ConsoleBrowser.form("csrf", browser.csrf)).statusCode()).isEqualTo(303);
    assertThat(browser.cookies).isEmpty();
    browser.cookies.putAll(held);
    assertThat(browser.get("/console/").statusCode()).isEqualTo(303);
    assertThat(browser.get("/admin/v1/realms").statusCode()).isEqualTo(401);
  }

  @Test
  void withoutARoleThereIsNoSession() throws IOException, InterruptedException {
    Browser browser = new Browser();
    HttpResponse<String> refused = browser.logIn(admin.logins.add("alice"), "");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("you have no role as an administrator here");
    assertThat(browser.cookies).isEmpty();
    MessageRefused event = admin.audit.events(MessageRefused.class).getFirst();
    assertThat(event.reason()).isEqualTo("ADMINISTRATOR_ROLE_MISSING");
    assertThat(event.partner()).isEqualTo("demo/alice");
  }

  @Test
  void aLoginThatCannotBeAuditedDoesNotHappen() throws IOException, InterruptedException {
    Person bob = admin.logins.add("bob");
    admin.grant(bob, "viewer");
    admin.audit.breakDown(true);
    Browser browser = new Browser();
    assertThat(browser.logIn(bob, "").statusCode()).isEqualTo(503);
    assertThat(browser.cookies).isEmpty();
  }

  // --- attacks on the response ---

  @Test
  void aResponseCountsOnlyInTheBrowserThatBegan() throws IOException, InterruptedException {
    Person bob = admin.logins.add("bob");
    admin.grant(bob, "admin");
    Browser attacker = new Browser();
    Map<String, String> request = attacker.begin("");
    String code = admin.logins.issue(request, FakePersonLogins.login(bob, admin.time.instant()));
    Browser victim = new Browser();
    assertThat(victim.comeBack(request, code).statusCode()).as("login CSRF").isEqualTo(403);
    victim.begin("");
    assertThat(victim.comeBack(request, code).statusCode()).as("another state").isEqualTo(403);
    assertThat(victim.cookies.keySet()).containsExactly("/console/login gh_admin_login");
  }

  @Test
  void aCodeOfAnotherBrowserIsRefused() throws IOException, InterruptedException {
    Person bob = admin.logins.add("bob");
    admin.grant(bob, "admin");
    String stolen = admin.logins.issue(new Browser().begin(""), FakePersonLogins.login(bob, admin.time.instant()));
    Browser attacker = new Browser();
    HttpResponse<String> refused = attacker.comeBack(attacker.begin(""), stolen);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(attacker.cookies).isEmpty();
    assertThat(admin.audit.events(MessageRefused.class).getFirst().reason()).isEqualTo("ADMINISTRATOR_LOGIN_REFUSED");
  }

  @Test
  void aResponseIsTakenOnce() throws IOException, InterruptedException {
    Person bob = admin.logins.add("bob");
    admin.grant(bob, "admin");
    Browser browser = new Browser();
    Map<String, String> request = browser.begin("");
    Map<String, String> kept = Map.copyOf(browser.cookies);
    String code = admin.logins.issue(request, FakePersonLogins.login(bob, admin.time.instant()));
    assertThat(browser.comeBack(request, code).statusCode()).isEqualTo(200);
    browser.cookies.clear();
    assertThat(browser.comeBack(request, code).statusCode()).as("without its cookie").isEqualTo(403);
    browser.cookies.putAll(kept);
    assertThat(browser.comeBack(request, code).statusCode()).as("with a kept cookie").isEqualTo(403);
    assertThat(browser.cookies).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"iss,http://evil.example/realms/demo", "iss,''", "code,''", "error,access_denied", "state,x"})
  void whatDiffersIsRefused(String name, String value) throws IOException, InterruptedException {
    Person bob = admin.logins.add("bob");
    admin.grant(bob, "admin");
    Browser browser = new Browser();
    Map<String, String> request = browser.begin("");
    Map<String, String> response =
        new TreeMap<>(
            Map.of(
                "iss", FakePersonLogins.ISSUER, "state", request.get("state"),
                "code", admin.logins.issue(request, FakePersonLogins.login(bob, admin.time.instant()))));
    response.put(name, value);
    String query = response.entrySet().stream().map(sent -> ConsoleBrowser.form(sent.getKey(), sent.getValue())).collect(Collectors.joining("&"));
    assertThat(browser.get("/console/login/callback?" + query).statusCode()).isEqualTo(403);
    assertThat(browser.cookies).doesNotContainKey("/console/ gh_admin");
  }

  @Test
  void aLoginWaitsTenMinutes() throws IOException, InterruptedException {
    Person bob = admin.logins.add("bob");
    admin.grant(bob, "admin");
    Browser browser = new Browser();
    Map<String, String> request = browser.begin("");
    admin.time.advance(Duration.ofMinutes(10));
    String code = admin.logins.issue(request, FakePersonLogins.login(bob, admin.time.instant()));
    assertThat(browser.comeBack(request, code).body()).contains("was begun too long ago");
  }

  @ParameterizedTest
  @CsvSource({
    "https://evil.example/", "//evil.example/", "/console/../admin", "/console/logout", "/console/login", "/consolex",
    "/console/\\evil", "'/console/\"><script>'"
  })
  void aLoginLeadsToPagesOfTheConsoleAlone(String page) {
    assertThat(Address.page(page)).isIn("/console/", "/console/../admin");
    assertThat(URI.create("http://localhost").resolve(Address.page(page)).getHost()).isEqualTo("localhost");
  }

  @Test
  void aSessionIdThatTheBrowserHadBeforeOpensNothing() throws IOException, InterruptedException {
    Person bob = admin.logins.add("bob");
    admin.grant(bob, "viewer");
    Browser browser = new Browser();
    String fixed = "gh_admin=" + "A".repeat(43);
    browser.cookies.put("/console/ gh_admin", fixed);
    browser.logIn(bob, "");
    assertThat(browser.cookies.get("/console/ gh_admin")).isNotEqualTo(fixed);
    Browser attacker = new Browser();
    attacker.cookies.put("/console/ gh_admin", fixed);
    assertThat(attacker.get("/console/").statusCode()).isEqualTo(303);
    String first = browser.cookies.get("/console/ gh_admin");
    browser.logIn(bob, "");
    attacker.cookies.put("/console/ gh_admin", first);
    assertThat(attacker.get("/console/").statusCode()).as("ended by the next login").isEqualTo(303);
  }

  // --- a session ends with what it rests on ---

  @Test
  void aRevokedRoleCountsNoMoreAtTheNextRequest() throws IOException, InterruptedException {
    Browser browser = as("admin");
    assertThat(browser.get("/admin/v1/realms").statusCode()).isEqualTo(200);
    admin.grants().all("demo").forEach(grant -> admin.grants().remove("demo", grant.person(), Optional.empty(), true));
    assertThat(browser.get("/admin/v1/realms").statusCode()).isEqualTo(401);
    assertThat(browser.get("/console/realms").statusCode()).isEqualTo(303);
  }

  @Test
  void withoutTheDirectoryPeopleAreToldAndAKeyWorks() throws IOException, InterruptedException {
    Browser browser = as("admin");
    admin.logins.down = true;
    HttpResponse<String> refused = browser.get("/console/realms");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("does not answer", "name=\"key\"");
    assertThat(browser.get("/admin/v1/realms").statusCode()).isEqualTo(503);
    assertThat(admin.authorized("GET", "/admin/v1/realms").statusCode()).isEqualTo(200);
    admin.logins.down = false;
    assertThat(browser.get("/console/realms").statusCode()).as("the session has not ended").isEqualTo(200);
  }

  // --- REST ---

  @Test
  void aSessionCallsRestFromPagesOfThisOriginAlone() throws IOException, InterruptedException {
    Browser browser = as("operator");
    for (String site : List.of("same-site", "none", "")) {
      browser.site = site;
      HttpResponse<String> refused = browser.get("/admin/v1/realms");
      assertThat(refused.statusCode()).as(site).isEqualTo(403);
      assertThat(refused.body()).contains("Sec-Fetch-Site");
      assertThat(browser.send("DELETE", "/admin/v1/realms/demo/cache?all=true", "").statusCode()).as(site).isEqualTo(403);
    }
    browser.site = "";
    assertThat(browser.send("DELETE", "/admin/v1/realms/demo/cache?all=true", "", "Origin", "http://127.0.0.1:1").statusCode()).isEqualTo(403);
    String own = "http://127.0.0.1:" + admin.port();
    assertThat(browser.send("DELETE", "/admin/v1/realms/demo/cache?all=true", "", "Origin", own).statusCode()).isEqualTo(200);
    browser.site = "same-origin";
    assertThat(browser.send("DELETE", "/admin/v1/realms/demo/cache?all=true", "").statusCode()).isEqualTo(200);
    Administered purge = admin.audit.events(Administered.class).getLast();
    assertThat(purge.administrator()).isEqualTo("demo/bob");
    assertThat(purge.details()).containsEntry("role", "operator").containsEntry("administratorId", "bob-id");
  }

  @Test
  void whatIsDangerousNeedsARecentLogin() throws IOException, InterruptedException {
    Browser browser = as("admin");
    admin.appSessions.add("s1", "carol");
    String all = "/admin/v1/realms/demo/sessions?person=carol";
    admin.time.advance(Duration.ofMinutes(10).plusSeconds(1));
    HttpResponse<String> old = browser.send("DELETE", all, "");
    assertThat(old.statusCode()).isEqualTo(401);
    assertThat(old.headers().firstValue("WWW-Authenticate").orElse(""))
        .contains("error=\"insufficient_user_authentication\"", "max_age=\"600\"");
    assertThat(old.body()).contains("\"max_age\":600", "not older than 10 minutes");
    assertThat(admin.appSessions.sessions).hasSize(1);
    assertThat(browser.get(all).statusCode()).as("reading").isEqualTo(200);
    assertThat(admin.authorized("DELETE", all).statusCode()).as("a key").isEqualTo(200);
  }

  @Test
  void nobodyActsOnPeopleWithMorePower() throws IOException, InterruptedException {
    Browser browser = as("helpdesk");
    Person root = admin.logins.add("root");
    admin.grant(root, "admin");
    admin.logins.add("carol");
    admin.appSessions.add("s1", "root");
    admin.appSessions.add("s2", "carol");
    for (String path :
        List.of(
            "/sessions?person=root", "/sessions?person=root-id", "/sessions?person=ROOT", "/sessions/app/s1",
            "/second-factors?person=root", "/second-factors?person=root-id")) {
      HttpResponse<String> refused = browser.send("DELETE", "/admin/v1/realms/demo" + path, "");
      assertThat(refused.statusCode()).as(path + refused.body()).isEqualTo(403);
      assertThat(refused.body()).contains("administrator with the role admin in all realms", "\"requiredRole\":\"admin\"");
    }
    assertThat(admin.audit.events(MessageRefused.class).getLast().reason()).isEqualTo("ADMINISTRATOR_MORE_POWERFUL");
    assertThat(admin.appSessions.sessions).hasSize(2);
    assertThat(browser.send("DELETE", "/admin/v1/realms/demo/sessions?person=carol", "").statusCode()).isEqualTo(200);
    admin.grant(admin.logins.people.getFirst(), "admin");
    assertThat(browser.send("DELETE", "/admin/v1/realms/demo/sessions?person=root", "").statusCode()).isEqualTo(200);
    assertThat(admin.appSessions.sessions).isEmpty();
  }

  @Test
  void nobodyActsOnWhatAppsHoldOfPeopleWithMorePower() throws IOException, InterruptedException {
    Browser browser = as("admin@demo");
    Person root = admin.logins.add("root");
    admin.grant(root, "admin");
    // Renamed since the role was granted.
    admin.logins.people.remove(root);
    admin.logins.people.add(new Person(root.id(), "chief", root.dn(), Map.of(), List.of(), Set.of()));
    admin.logins.add("carol");
    authorizations.people.addAll(List.of("root", "carol"));
    FederationView link = new FederationView("links", "https://idp.example", "root-id", "n1", Optional.empty(), TestTime.START);
    admin.links.links.add(link);
    String realm = "/admin/v1/realms/demo";
    String federation = realm + "/federation/links";
    String nameId = "partner=https%3A%2F%2Fidp.example&nameId=n1";
    for (String request :
        List.of(
            "DELETE " + realm + "/authorizations/root",
            "DELETE " + federation + "?" + nameId,
            "POST " + federation + "/renew?" + nameId,
            "DELETE " + realm + "/app-secrets?app=mail&person=https%3A%2F%2Fidp.example%21Root",
            "DELETE " + realm + "/app-secrets?app=mail&person=https%3A%2F%2Fidp.example%21chief",
            "DELETE " + realm + "/app-secrets?app=mail&person=%215%21a%21b%21c%21root-id",
            "DELETE " + realm + "/person-data?person=https%3A%2F%2Fidp.example%21root")) {
      String[] parts = request.split(" ");
      HttpResponse<String> refused = browser.send(parts[0], parts[1], "");
      assertThat(refused.statusCode()).as(request + refused.body()).isEqualTo(403);
      assertThat(refused.body()).contains("administrator with the role admin in all realms");
    }
    assertThat(authorizations.people).containsExactly("root", "carol");
    assertThat(admin.links.links).containsExactly(link);
    assertThat(browser.send("DELETE", realm + "/authorizations/carol", "").statusCode()).isEqualTo(204);
    assertThat(browser.send("DELETE", realm + "/app-secrets?app=mail&person=https%3A%2F%2Fidp.example%21carol", "").statusCode()).isEqualTo(204);
    admin.links.links.clear();
    authorizations.people.clear();
  }

  @Test
  void realmAdministratorsGrantRolesInTheirRealmAlone() throws IOException, InterruptedException {
    Browser browser = as("admin@demo");
    admin.logins.add("carol");
    String carol = "/admin/v1/administrators/carol";
    assertThat(browser.send("PUT", carol, "{\"role\":\"viewer\"}").statusCode()).as("in all realms").isEqualTo(403);
    assertThat(browser.send("PUT", carol + "?realm=other", "{\"role\":\"viewer\"}").statusCode()).isEqualTo(403);
    assertThat(browser.send("PUT", carol + "?realm=demo&realm=other", "{\"role\":\"viewer\"}").statusCode()).isEqualTo(403);
    assertThat(browser.send("PUT", carol + "?realm=demo", "{\"role\":\"root\"}").body()).contains("`role` is not a role");
    assertThat(browser.send("PUT", carol + "?realm=demo", "{\"role\":\"viewer\",\"expiresAt\":\"2020-01-01T00:00:00Z\"}").body())
        .contains("`expiresAt` is in the past");
    assertThat(browser.send("PUT", "/admin/v1/administrators/nobody?realm=demo", "{\"role\":\"viewer\"}").statusCode()).isEqualTo(404);
    HttpResponse<String> granted = browser.send("PUT", carol + "?realm=demo", "{\"role\":\"operator\"}");
    assertThat(granted.statusCode()).as(granted.body()).isEqualTo(200);
    assertThat(granted.body()).contains("\"grantedBy\":\"demo/bob\"");
    Administered event = admin.audit.events(Administered.class).getLast();
    assertThat(event.details()).containsEntry("before", "-").containsEntry("after", "operator@demo").containsEntry("person", "carol-id");
    admin.grant(admin.logins.add("root"), "admin");
    assertThat(browser.get("/admin/v1/administrators").body()).contains("carol-id", "bob-id").doesNotContain("root");
    assertThat(browser.send("DELETE", "/admin/v1/administrators/root", "").statusCode()).isEqualTo(403);
    assertThat(browser.send("DELETE", carol + "?realm=demo", "").statusCode()).isEqualTo(204);
    assertThat(admin.authorized("DELETE", "/admin/v1/administrators/root").statusCode()).as("the last one").isEqualTo(409);
    assertThat(admin.authorized("DELETE", "/admin/v1/administrators/root?evenLast=true").statusCode()).isEqualTo(204);
  }

  /** In the database, the empty name is that of the role for all realms. */
  @Test
  void anEmptyRealmTakesNoRole() throws IOException, InterruptedException {
    admin.grant(admin.logins.add("root"), "admin");
    admin.grant(admin.logins.people.getFirst(), "viewer@gone");
    String root = "/admin/v1/administrators/root";
    for (String query : List.of("?realm=", "?realm=&evenLast=true")) {
      HttpResponse<String> refused = admin.authorized("DELETE", root + query);
      assertThat(refused.statusCode()).as(query + refused.body()).isEqualTo(400);
      assertThat(refused.body()).contains("`realm` is empty");
    }
    assertThat(admin.grants().all("demo")).hasSize(2);
    assertThat(admin.audit.events(Administered.class)).isEmpty();
    assertThat(admin.authorized("DELETE", root + "?realm=gone").statusCode()).as("a realm that is no more").isEqualTo(204);
    assertThat(admin.grants().all("demo")).singleElement().matches(PersonGrant::isLastingAdmin);
  }

  // --- logging in again ---

  @ParameterizedTest
  @ValueSource(strings = {"cross-site", "same-site"})
  void aFormWaitsForTheSecondLogin(String provider) throws IOException, InterruptedException {
    Browser browser = as("admin");
    browser.provider = provider;
    Person bob = admin.logins.people.getFirst();
    admin.appSessions.add("s1", "carol");
    String end = "/console/realms/demo/people/end";
    admin.time.advance(Duration.ofMinutes(11));
    HttpResponse<String> again = browser.send("POST", end, ConsoleBrowser.form("name", "carol", "csrf", browser.csrf));
    assertThat(again.statusCode()).isEqualTo(401);
    assertThat(again.body()).contains("Please sign in again", "Your form is kept", "/console/login/person?again=true");
    assertThat(admin.appSessions.sessions).hasSize(1);
    Map<String, String> request = browser.begin("?again=true&page=%2Fconsole%2F");
    assertThat(request).containsEntry("max_age", "60");
    HttpResponse<String> resumed = browser.comeBack(request, admin.logins.issue(request, FakePersonLogins.login(bob, admin.time.instant())));
    assertThat(resumed.body()).contains("action=\"" + end + "\"", "name=\"name\" value=\"carol\"", "Yes, do it now");
    assertThat(browser.send("POST", end, ConsoleBrowser.form("name", "carol", "csrf", browser.csrf)).statusCode()).isEqualTo(303);
    assertThat(admin.appSessions.sessions).isEmpty();
  }

  @Test
  void theFormOfOnePersonIsNotSentByAnother() throws IOException, InterruptedException {
    Browser browser = as("admin");
    Person carol = admin.logins.add("carol");
    admin.grant(carol, "admin");
    admin.time.advance(Duration.ofMinutes(11));
    browser.send("POST", "/console/realms/demo/people/end", ConsoleBrowser.form("name", "dora", "csrf", browser.csrf));
    HttpResponse<String> in = browser.logIn(carol, "?again=true");
    assertThat(in.statusCode()).isEqualTo(200);
    assertThat(in.body()).doesNotContain("dora");
    assertThat(in.headers().firstValue("Refresh")).hasValue("0;url=/console/");
  }

  @Test
  void anOldLoginIsNotTakenForANewOne() throws IOException, InterruptedException {
    Browser browser = as("admin");
    Person bob = admin.logins.people.getFirst();
    admin.time.advance(Duration.ofMinutes(11));
    assertThat(browser.get("/console/realms/demo/people/end?name=bob").body()).contains("you come back to this page");
    Map<String, String> request = browser.begin("?again=true");
    String code = admin.logins.issue(request, FakePersonLogins.login(bob, admin.time.instant().minus(Duration.ofMinutes(11))));
    assertThat(browser.comeBack(request, code).statusCode()).isEqualTo(403);
  }

  // --- the set-up link ---

  @Test
  void theSetUpLinkMakesTheNamedPersonAdministratorOnce() throws IOException, InterruptedException {
    Person alice = admin.logins.add("alice");
    admin.logins.add("mallory");
    String link = SetUpLink.offer(LOGIN, admin.grants(), admin.time.instant(), RandomGenerator.of("SecureRandom")).orElseThrow();
    assertThat(link).startsWith("http://127.0.0.1:8081/console/set-up#");
    assertThat(SetUpLink.offer(LOGIN, admin.grants(), admin.time.instant(), RandomGenerator.of("SecureRandom"))).as("once").isEmpty();
    String code = link.substring(link.indexOf('#') + 1);
    Browser browser = new Browser();
    HttpResponse<String> page = browser.get("/console/set-up");
    assertThat(page.body()).contains("<script>" + SetUpEndpoint.SCRIPT + "</script>", "name=\"code\"", "name=\"person\"");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("script-src 'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(SetUpEndpoint.SCRIPT)) + "'");

    assertThat(setUp(browser, code, "nobody").body()).contains("There is no such person");
    Map<String, String> asMallory = sentTo(setUp(browser, code, "alice"));
    assertThat(asMallory).containsEntry("prompt", "login").containsEntry("login_hint", "alice");
    Person mallory = admin.logins.people.getLast();
    String wrong = admin.logins.issue(asMallory, FakePersonLogins.login(mallory, admin.time.instant()));
    assertThat(browser.comeBack(asMallory, wrong).body()).contains("Another person signed in");
    Map<String, String> earlier = sentTo(setUp(browser, code, "alice"));
    String old = admin.logins.issue(earlier, FakePersonLogins.login(alice, admin.time.instant().minusSeconds(1)));
    assertThat(browser.comeBack(earlier, old).statusCode()).as("a login from before").isEqualTo(403);
    assertThat(admin.grants().all("demo")).isEmpty();

    Map<String, String> request = sentTo(setUp(browser, code, "alice"));
    String issued = admin.logins.issue(request, FakePersonLogins.login(alice, admin.time.instant()));
    assertThat(browser.comeBack(request, issued).statusCode()).isEqualTo(200);
    assertThat(browser.get("/console/").body()).contains("(demo/alice)");
    assertThat(admin.grants().all("demo")).singleElement().matches(grant -> grant.isLastingAdmin() && grant.person().value().equals("alice-id"));
    assertThat(admin.audit.events(Administered.class)).extracting(Administered::action).contains("administrator.grant");
    assertThat(setUp(new Browser(), code, "mallory").statusCode()).as("used").isEqualTo(403);
    assertThat(admin.audit.events(AuditEvent.class).toString()).doesNotContain(code);
  }

  @Test
  void wrongSetUpCodesAreAuditedAndSlowed() throws IOException, InterruptedException {
    Browser browser = new Browser();
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> wrong = setUp(browser, "x".repeat(43), "alice");
      assertThat(wrong.statusCode()).isEqualTo(403);
      assertThat(wrong.body()).contains("This code does not count");
    }
    assertThat(setUp(browser, "x".repeat(43), "alice").statusCode()).isEqualTo(429);
    assertThat(admin.audit.events(MessageRefused.class).getFirst().reason()).isEqualTo("ADMINISTRATOR_SET_UP_CODE_UNKNOWN");
    browser.site = "cross-site";
    assertThat(setUp(browser, "x".repeat(43), "alice").body()).contains("was not sent from this page");
  }

  private static HttpResponse<String> setUp(Browser browser, String code, String person) throws IOException, InterruptedException {
    return browser.send("POST", "/console/set-up", ConsoleBrowser.form("code", code, "person", person));
  }

  private static Map<String, String> sentTo(HttpResponse<String> reply) {
    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    return request(reply.headers().firstValue("Refresh").orElse("").replaceFirst("^0;url=", ""));
  }
}
