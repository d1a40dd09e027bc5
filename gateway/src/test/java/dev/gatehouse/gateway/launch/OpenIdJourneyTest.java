package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.administrator.SetUpLink;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import dev.gatehouse.gateway.tracing.Collector;
import dev.gatehouse.gateway.tracing.Collector.Span;
import dev.gatehouse.sp.inspection.Inspection;
import dev.gatehouse.sp.inspection.TestLogins;
import java.util.ArrayList;
import java.time.Instant;
import java.security.SecureRandom;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A node whose gateway knows its own idp by OpenID Connect alone: login, API, logout from both sides. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OpenIdJourneyTest {

  private static final String NODE =
      """
      roles: [idp, sp, gateway]
      listeners:
        idp: {address: 127.0.0.1, port: %1$d}
        gateway: {address: 127.0.0.1, port: %2$d}
        admin: {address: 127.0.0.1, port: %3$d}
      admin: {realm: demo}
      outbound: {allow: 127.0.0.0/8}
      storage: volatile
      data: ../data
      tracing: {endpoint: "%4$s", sample: 100%%}
      """;

  private static final String REALM =
      """
      idp:
        publicUrl: http://idp.localhost:%1$d
      sp:
        publicUrl: http://app.localhost:%2$d
        identityProvider: http://idp.localhost:%1$d/realms/demo
      directory:
        urls: "ldap://127.0.0.1:%3$d"
        base: dc=example,dc=org
        filter: (&(objectClass=inetOrgPerson)(uid={name}))
        groups: {base: "ou=groups,dc=example,dc=org"}
      providers:
        - issuer: http://idp.localhost:%1$d/realms/demo
          displayName: Our login
          clientId: http://app.localhost:%2$d
          secret: "quite secret: +&"
          scopes: [profile, roles]
          userInfo: true
      clients:
        - clientId: http://app.localhost:%2$d
          displayName: Our gateway
          secret: "quite secret: +&"
          redirectUris: ["http://app.localhost:%2$d/.gatehouse/oidc/callback"]
          scopes: [openid, profile, roles]
          logout:
            redirectUris: ["http://app.localhost:%2$d/.gatehouse/oidc/logged-out"]
            backChannel: http://app.localhost:%2$d/.gatehouse/oidc/backchannel
        - clientId: machine
          secret: machine-secret
          grants: [clientCredentials]
          scopes: [read]
          resources: ["http://app.localhost:%2$d"]
      routes:
        - {path: /manager/, upstream: "http://127.0.0.1:%4$d", roles: [manager]}
        - path: /whoami
          upstream: http://127.0.0.1:%4$d
          bearer: {issuer: "http://idp.localhost:%1$d/realms/demo", audience: "http://app.localhost:%2$d", scopes: read}
        - path: /echo
          upstream: http://127.0.0.1:%4$d
          bearer: {issuer: "http://idp.localhost:%1$d/realms/demo", audience: "http://app.localhost:%2$d",
            verification: introspection, cache: 0s}
        - {path: /, upstream: "http://127.0.0.1:%4$d"}
      """;

  private static final Pattern WAY_OUT = Pattern.compile("href=\"(http://app[^\"]*/oidc/callback[^\"]*)\"");

  private static final Pattern LINK = Pattern.compile("<a class=\"button\" href=\"(http[^\"]*)\"");

  private final List<Integer> ports = FreePorts.take(3);
  private final DemoDirectory directory = DemoDirectory.start(0);
  private final SampleApp app = SampleApp.start(0);
  private final HttpClient http = HttpClient.newHttpClient();
  private final String home = "http://app.localhost:" + ports.get(1);
  private final String issuer = "http://idp.localhost:" + ports.get(0) + "/realms/demo";

  private Path folder;
  private Collector collector;
  private RunningNode node;

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException {
    folder = temporary;
    collector = new Collector();
    Path config = folder.resolve("config");
    Files.createDirectories(config.resolve("realms"));
    Files.writeString(config.resolve("gatehouse.yaml"), NODE.formatted(ports.get(0), ports.get(1), ports.get(2), collector.endpoint()));
    Files.writeString(
        config.resolve("realms/demo.yaml"),
        REALM.formatted(ports.get(0), ports.get(1), directory.port(), app.port()));
    node = RunningNode.start(config, Map.of());
  }

  @AfterAll
  void stop() {
    node.close();
    collector.close();
    http.close();
    app.close();
    directory.close();
  }

  private Shown login(PlainBrowser browser, String user) throws IOException, InterruptedException {
    Shown form = await(() -> browser.open(home + "/"), shown -> shown.status() != 503);
    Shown out = browser.submit(form, browser.form(form).with("username", user).with("password", "demo"));
    // Behind a form the way to another origin is a page that goes there by itself.
    Matcher way = WAY_OUT.matcher(out.body());
    return way.find() ? browser.open(way.group(1).replace("&amp;", "&")) : out;
  }

  private interface Look {
    Shown get() throws IOException, InterruptedException;
  }

  /** For what happens from server to server, and for a provider that is known a moment after the start. */
  private static Shown await(Look look, Predicate<Shown> until)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    Shown seen = look.get();
    while (!until.test(seen) && System.nanoTime() < end) {
      Thread.sleep(100);
      seen = look.get();
    }
    return seen;
  }

  /** First, since it looks at every span that there is. */
  @Test
  @Order(1)
  void aPersonLogsInAndOutAgain() throws Exception {
    try (PlainBrowser browser = new PlainBrowser()) {
      Shown page = login(browser, "alice");
      assertThat(page.url()).hasToString(home + "/");
      assertThat(page.body()).contains("Hello, alice");
      assertSpans();
      aTestLoginPassesEveryCheck(browser);

      Shown out = browser.open(home + "/.gatehouse/logout");
      assertThat(out.body()).doesNotContain("Hello");
      Shown again = browser.open(home + "/");
      assertThat(again.url().toString()).startsWith(issuer);
      assertThat(again.body()).contains("password");
    }
  }

  private void aTestLoginPassesEveryCheck(PlainBrowser browser) throws IOException, InterruptedException {
    Realm realm = node.get(Realms.class).find("demo").orElseThrow();
    TestLogins tests = node.get(TestLogins.class);
    TestLogins.View begun = tests.begin(realm, issuer).orElseThrow();
    assertThat(browser.open(begun.url()).body()).contains("Every check passed.");
    Inspection inspection = tests.find(realm, begun.id()).flatMap(TestLogins.View::inspection).orElseThrow();
    assertThat(inspection.isPassed()).as(inspection.toString()).isTrue();
    assertThat(inspection.steps()).extracting(Inspection.Step::name).contains("id-token-claims", "user-info");
    assertThat(inspection.account().orElseThrow().name()).contains("alice");
  }

  /** The steps of a login have spans, and the parts of each step below it. */
  private void assertSpans() {
    Span typed = collector.await(span -> span.name().equals("POST /realms/{realm}/login"));
    assertThat(typed.kind()).isEqualTo(2);
    assertThat(below(typed, "directory bind").kind()).isEqualTo(3);
    assertThat(below(typed, "directory search").kind()).isEqualTo(3);
    Span back = collector.await(span -> span.name().equals("GET /.gatehouse/oidc/callback"));
    assertThat(below(back, "store write").parent()).isEqualTo(back.id());
    assertThat(back.trace()).isNotEqualTo(typed.trace());
    Span served =
        collector.await(
            span -> span.name().equals("GET /") && span.attributes().getOrDefault("http.response.status_code", "").equals("200"));
    assertThat(below(served, "GET").attributes()).containsEntry("server.port", String.valueOf(app.port()));
    assertThat(below(served, "session").attributes()).containsKey("gatehouse.session.cache");
    assertThat(below(served, "decision").attributes()).containsEntry("gatehouse.decision", "permit");
    assertThat(collector.received()).doesNotContain("alice", "quite secret", "password=", "code=");
  }

  private Span below(Span parent, String name) {
    return collector.await(span -> span.parent().equals(parent.id()) && span.name().equals(name));
  }

  /** By the set-up link, then by roles that are granted on the host. */
  @Test
  void peopleOpenTheConsole() throws Exception {
    String link =
        SetUpLink.offer(
                node.node().listeners().adminLogin().orElseThrow(), node.get(AdministratorGrants.class), Instant.now(),
                node.get(SecureRandom.class))
            .orElseThrow();
    try (PlainBrowser bob = new PlainBrowser(); PlainBrowser alice = new PlainBrowser()) {
      Shown setUp = bob.open(link.substring(0, link.indexOf('#')));
      PlainBrowser.Form named = bob.form(setUp).with("code", link.substring(link.indexOf('#') + 1)).with("person", "bob");
      Shown entered = password(bob, bob.open(way(bob.submit(setUp, named))), "bob");
      assertThat(entered.status()).as(entered.body()).isEqualTo(200);
      assertThat(bob.open(console("")).body()).contains("(demo/bob)");

      assertThat(password(alice, alice.open(console("login/person")), "alice").status()).as("without a role").isEqualTo(403);
      assertThat(command("admin", "grant", "alice", "--role", "helpdesk", "--realm", "demo")).isZero();
      assertThat(alice.open(console("login/person")).status()).as("by the session at the provider").isEqualTo(200);
      assertThat(alice.open(console("")).body()).contains("(demo/alice)");

      Shown question = alice.open(console("realms/demo/people/end?name=bob"));
      // The first form is that which signs out; all have the same csrf field.
      var end = new PlainBrowser.Form(URI.create(console("realms/demo/people/end")), alice.form(question).fields());
      Shown refused = alice.submit(question, end.with("name", "bob"));
      assertThat(refused.body()).contains("This person is an administrator with the role admin in all realms");
      assertThat(refused.status()).isEqualTo(403);
      assertThat(bob.open(console("")).body()).contains("(demo/bob)");

      assertThat(command("admin", "revoke", "alice")).isZero();
      assertThat(alice.open(console("")).url()).as("at once").hasToString(console("login"));
      assertThat(command("admin", "revoke", "bob")).as("the last administrator").isEqualTo(1);

      Shown out = bob.open(issuer + "/logout");
      bob.submit(out, bob.form(out));
      assertThat(bob.open(console("")).url()).as("logged out at the provider").hasToString(console("login"));
    }
  }

  /** No request of a stranger gets a token or a code of the console's client. */
  @Test
  void theClientOfTheConsoleIsOfNoUseToOthers() throws Exception {
    try (PlainBrowser browser = new PlainBrowser()) {
      String request = issuer + "/oauth/authorize?response_type=code&scope=openid&state=s&client_id=gatehouse-console&redirect_uri=";
      String own = console("login/callback");
      assertThat(browser.open(request + own + "&nonce=n").url().toString()).as("without PKCE").contains("error=invalid_request");
      for (String other : List.of(own + "/", own.replace("localhost", "127.0.0.1"), "http://localhost:1/console/login/callback")) {
        assertThat(browser.open(request + other).status()).as(other).isEqualTo(400);
      }
    }
    for (String secret : List.of("", "&client_secret=x", "&code_verifier=" + "v".repeat(43))) {
      HttpResponse<String> refused =
          http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.get(0) + "/realms/demo/oauth/token"))
                  .header("Host", "idp.localhost:" + ports.get(0))
                  .header("Content-Type", "application/x-www-form-urlencoded")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          "grant_type=authorization_code&code=c&client_id=gatehouse-console" + secret))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(401);
      assertThat(refused.body()).contains("invalid_client");
    }
  }

  private String console(String page) {
    return "http://localhost:" + ports.get(2) + "/console/" + page;
  }

  private static Shown password(PlainBrowser browser, Shown form, String user) throws IOException, InterruptedException {
    Shown out = browser.submit(form, browser.form(form).with("username", user).with("password", "demo"));
    return browser.open(way(out));
  }

  /** The only link of a page that leads on by itself. */
  private static String way(Shown page) {
    Matcher way = LINK.matcher(page.body());
    assertThat(way.find()).as(page.body()).isTrue();
    return way.group(1).replace("&amp;", "&");
  }

  private int command(String... line) {
    List<String> all = new ArrayList<>(List.of(line));
    all.addAll(List.of("--config", folder.resolve("config").toString()));
    return Launcher.commandLine().execute(all.toArray(String[]::new));
  }

  @Test
  void rolesComeAlong() throws Exception {
    try (PlainBrowser browser = new PlainBrowser()) {
      login(browser, "alice");
      int alice = browser.open(home + "/manager/").status();
      try (PlainBrowser other = new PlainBrowser()) {
        login(other, "bob");
        assertThat(List.of(alice, other.open(home + "/manager/").status())).containsExactlyInAnyOrder(200, 403);
      }
    }
  }

  @Test
  void aLogoutAtTheProviderEndsTheSessionHere() throws Exception {
    try (PlainBrowser browser = new PlainBrowser()) {
      login(browser, "alice");
      assertThat(browser.open(home + "/").body()).contains("Hello, alice");

      Shown question = browser.open(issuer + "/logout");
      browser.submit(question, browser.form(question));

      Shown after = await(() -> browser.open(home + "/"), shown -> !shown.body().contains("Hello, alice"));
      assertThat(after.url().toString()).startsWith(issuer);
    }
  }

  @Test
  void aMachinesTokenOpensTheApiUntilItIsRevoked() throws Exception {
    String token = await(this::tokenAnswer, shown -> shown.status() == 200).body();
    String value = new JsonMapper().readTree(token).get("access_token").asString();

    assertThat(call("/whoami", "").statusCode()).isEqualTo(401);
    assertThat(awaitCall("/whoami", value)).isEqualTo(200);
    assertThat(call("/whoami", value).body()).contains("client:machine");
    assertThat(call("/echo", value).statusCode()).isEqualTo(200);

    assertThat(post(issuer + "/oauth/revoke", "token=" + value).statusCode()).isEqualTo(200);

    assertThat(call("/echo", value).statusCode()).isEqualTo(401);
    assertThat(call("/", value).statusCode()).as("no session comes of it").isNotEqualTo(200);
  }

  private int awaitCall(String path, String token) throws IOException, InterruptedException {
    return await(
            () -> {
              HttpResponse<String> answer = call(path, token);
              return new Shown(URI.create(home + path), answer.statusCode(), answer.body());
            },
            shown -> shown.status() != 503)
        .status();
  }

  private Shown tokenAnswer() throws IOException, InterruptedException {
    HttpResponse<String> answer =
        post(
            issuer + "/oauth/token",
            "grant_type=client_credentials&scope=read&resource=" + URLEncoder.encode(home, StandardCharsets.UTF_8));
    return new Shown(URI.create(issuer), answer.statusCode(), answer.body());
  }

  private HttpResponse<String> post(String url, String form) throws IOException, InterruptedException {
    URI uri = URI.create(url);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + uri.getPort() + uri.getPath()))
            .header("Host", uri.getRawAuthority())
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Authorization", "Basic bWFjaGluZTptYWNoaW5lLXNlY3JldA==")
            .POST(BodyPublishers.ofString(form))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  private HttpResponse<String> call(String path, String token) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.get(1) + path))
            .header("Host", URI.create(home).getRawAuthority());
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }
}
