package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.gatehouse.gateway.demo.DemoPorts;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.idp.agent.Agent;
import dev.gatehouse.idp.agent.AgentYaml;
import dev.gatehouse.idp.agent.server.RealmEpoch;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The demo's contract, on the packaged node as a process of its own. One story: each test goes on where the last ended. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DemoIT {
  private final PlainBrowser browser = new PlainBrowser();
  private final HttpClient client = HttpClient.newHttpClient();
  private Path folder;
  private DemoProcess demo;

  @BeforeAll
  void start(@TempDir Path folder) {
    this.folder = folder;
    demo = DemoProcess.start(folder);
  }

  @AfterAll
  void stop() {
    demo.close();
    browser.close();
    client.close();
  }

  @Test
  @Order(1)
  void publicPagesNeedNoLoginAndOthersDo() throws IOException, InterruptedException {
    assertThat(browser.open(app("/public/")).body()).contains("Open to everybody");
    assertThat(browser.fetch(app("/whoami"))).isEqualTo(401);
  }

  @Test
  @Order(2)
  void aliceLogsInAndTheAppSeesHer() throws IOException, InterruptedException {
    Shown login = browser.open(app("/whoami"));
    assertThat(login.url().getHost()).isEqualTo("idp.localhost");
    Shown handOver =
        browser.submit(login, browser.form(login).with("username", "alice").with("password", "demo"));
    Shown answer = browser.submit(handOver, browser.form(handOver));
    assertThat(answer.url()).hasToString(app("/whoami"));
    JsonNode me = new JsonMapper().readTree(answer.body());
    assertThat(me.get("user").asString()).isEqualTo("alice");
    assertThat(me.get("roles").toString()).isEqualTo("[\"employee\"]");
    assertThat(me.get("headers").get("Remote-User").asString()).isEqualTo("alice");
    assertThat(me.get("headers").get("Remote-Groups").asString()).isEqualTo("employee");
    assertThat(answer.body()).doesNotContain("gh_app");
  }

  @Test
  @Order(3)
  void managersOnly() throws IOException, InterruptedException {
    Shown denied = browser.open(app("/manager/"));
    assertThat(denied.status()).isEqualTo(403);
    assertThat(denied.body()).doesNotContain("For managers");
  }

  @Test
  @Order(4)
  void administrationNeedsTheKeyThatTheDemoMade() throws IOException, InterruptedException {
    Path key = folder.resolve("demo/admin-key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key))).isEqualTo("rw-------");
    assertThat(admin("/admin/v1/realms", "").statusCode()).isEqualTo(401);
    HttpResponse<String> sessions = admin("/admin/v1/realms/demo/sessions?person=alice", Files.readString(key).strip());
    assertThat(sessions.statusCode()).as(sessions.body()).isEqualTo(200);
    assertThat(new JsonMapper().readTree(sessions.body()).get("sessions"))
        .extracting(session -> session.get("kind").asString())
        .containsExactlyInAnyOrder("app", "idp");
    assertThat(admin("/actuator/health/readiness", "").body()).endsWith("\"status\":\"UP\"}");

    // What our identity provider asserted is asserted anew, and alice types nothing.
    assertThat(post("/admin/v1/realms/demo/people/reread?person=alice", "").toString())
        .isEqualTo("{\"changed\":0,\"unchanged\":0,\"ended\":1}");
    Shown handOver = browser.open(app("/whoami"));
    assertThat(browser.form(handOver).fields()).doesNotContainKey("password");
    assertThat(browser.submit(handOver, browser.form(handOver)).body()).contains("\"alice\"");
  }

  @Test
  @Order(5)
  void aTestLoginShowsEveryCheckAndIsReplayed() throws IOException, InterruptedException {
    String tests = "/admin/v1/realms/demo/test-logins";
    String provider = "http://idp.localhost:" + demo.idp() + "/realms/demo";
    JsonNode begun = post(tests, "{\"identityProvider\":\"" + provider + "\"}");
    Shown handOver = browser.open(begun.get("url").asString());
    Shown end = browser.submit(handOver, browser.form(handOver));
    assertThat(end.body()).contains("Every check passed.", "nobody was signed in");

    String id = begun.get("id").asString();
    String key = Files.readString(folder.resolve("demo/admin-key")).strip();
    JsonNode inspection = new JsonMapper().readTree(admin(tests + "/" + id, key).body()).get("inspection");
    assertThat(inspection.get("passed").asBoolean()).as(inspection.toString()).isTrue();
    assertThat(inspection.get("account").get("name").asString()).isEqualTo("alice");
    String secret = "\"passphrase\":\"correct horse battery\"";
    String file = post(tests + "/" + id + "/recording", "{" + secret + "}").get("file").asString();
    JsonNode replay = post(tests + "/replay", "{\"file\":\"" + file + "\"," + secret + "}");
    assertThat(replay.get("differences")).isEmpty();
    assertThat(replay.get("now").get("passed").asBoolean()).isTrue();
    Path saved = Files.writeString(folder.resolve("test-login.jwe"), file);
    Path passphrase = Files.writeString(folder.resolve("passphrase"), "correct horse battery\n");
    StringWriter out = new StringWriter();
    int code =
        Launcher.commandLine()
            .setOut(new PrintWriter(out, true))
            .execute(
                "replay", saved.toString(), "--realm", "demo", "--passphrase-file", passphrase.toString(), "--config",
                folder.resolve("demo/config").toString());
    assertThat(code).as(out.toString()).isZero();
    assertThat(out).hasToString("Nothing differs: every check passes.\n");
  }

  @Test
  @Order(5)
  void noEdgeAnswersForAnother() throws IOException, InterruptedException {
    for (String path : new String[] {"/admin/v1/realms", "/admin/v1/openapi.json", "/actuator/health"}) {
      assertThat(get(demo.idp(), "idp.localhost", path)).as("idp " + path).isEqualTo(404);
      // Behind the gateway the same path is the app's: it needs a login there.
      assertThat(get(demo.app(), "app.localhost", path)).as("gateway " + path).isEqualTo(401);
    }
    for (String path : new String[] {"/realms/demo/saml/metadata", "/.gatehouse/saml/metadata", "/whoami"}) {
      assertThat(get(demo.admin(), "localhost", path)).as("admin " + path).isEqualTo(404);
    }
    assertThat(get(demo.idp(), "idp.localhost", "/.gatehouse/saml/metadata")).isEqualTo(404);
    assertThat(get(demo.app(), "app.localhost", "/realms/demo/saml/metadata")).isEqualTo(401);
  }

  @Test
  @Order(6)
  void theSessionSurvivesARestart() throws IOException, InterruptedException {
    // 143: ended by SIGTERM, after everything was closed in order.
    assertThat(demo.restart()).isEqualTo(143);
    Shown answer = browser.open(app("/whoami"));
    assertThat(answer.url()).hasToString(app("/whoami"));
    assertThat(answer.body()).contains("\"user\":\"alice\"");
  }

  @Test
  @Order(7)
  void logoutEndsItHereAndAtTheIdentityProvider() throws IOException, InterruptedException {
    Shown home = browser.open(app("/"));
    browser.submit(home, browser.form(home));
    assertThat(browser.fetch(app("/whoami"))).isEqualTo(401);
    Shown login = browser.open(app("/whoami"));
    assertThat(browser.form(login).fields()).containsKey("password");
  }

  /** With radclient: what a browser used up is refused by RADIUS as well. The agent whose files the demo wrote takes the next code. */
  @Test
  @Order(8)
  void carolComesInByThePasscodeOfHerTokenOnce() throws Exception {
    Instant now = Instant.now();
    String passcode = "2468" + code(now);
    try (PlainBrowser carols = new PlainBrowser()) {
      Shown login = carols.open(app("/token/"));
      assertThat(login.url().getPath()).isEqualTo("/realms/demo/login/token");
      Shown handOver = carols.submit(login, carols.form(login).with("username", "carol").with("passcode", passcode));
      Shown answer = carols.submit(handOver, carols.form(handOver));
      assertThat(answer.url()).hasToString(app("/token/"));
      assertThat(answer.body()).contains("Behind a token");
      assertThat(carols.open(app("/whoami")).body()).contains("\"user\":\"carol\"");
    }
    assertThat(radclient("carol", passcode)).contains("Received Access-Reject", "Message-Authenticator");
    assertThat(radclient("alice", passcode)).contains("Received Access-Reject");
    Path written = folder.resolve("demo/config/agent/agent.yaml");
    Path anyPort = written.resolveSibling("any-port.yaml");
    Files.writeString(anyPort, Files.readString(written).replaceFirst("port: \\d+", "port: 0"));
    try (Agent agent = new Agent(AgentYaml.read(anyPort, Map.of()), RealmEpoch.inMemory(0), InstantSource.system(), new SecureRandom())) {
      agent.open();
      int port = agent.radiusPort().orElseThrow();
      assertThat(radclient(port, "carol", passcode)).contains("Received Access-Reject");
      Instant next = next(now);
      assertThat(radclient(port, "carol", "2468" + code(next))).contains("Received Access-Accept");
      assertThat(radclient("carol", "2468" + code(next))).as("used by the agent").contains("Received Access-Reject");
      assertThat(radclient("carol", "2468" + code(next(next)))).contains("Received Access-Accept", "Message-Authenticator");
    }
  }

  /** A time of a later code than that: the present one, or the next, which counts as well and tells that her clock is fast. */
  private static Instant next(Instant used) {
    Instant later = used.plusSeconds(30);
    return later.isAfter(Instant.now()) ? later : Instant.now();
  }

  @Test
  @Order(8)
  void aTakenPortIsNamedWithItsKey() throws IOException, InterruptedException {
    Path second = Files.createDirectory(folder.resolve("second"));
    Process process =
        new ProcessBuilder(BuiltNode.command("run", "--config", folder.resolve("demo/config").toString()))
            .redirectErrorStream(true)
            .redirectOutput(second.resolve("output.txt").toFile())
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(second.resolve("output.txt"))
        .content()
        .contains("listeners.idp[0]: cannot listen on port " + demo.idp())
        .doesNotContain("\tat ");
  }

  /** If it failed, the launcher would make no AOT cache, and each start would take longer. */
  @Test
  @Order(9)
  void theTrainingRunSucceeds() throws InterruptedException {
    Training.Done done = new Training(DemoPorts.from(demo.idp())).run(Duration.ofSeconds(1));
    assertThat(done.rounds()).isGreaterThanOrEqualTo(4);
    // Client credentials, codes, refreshes and passwords: those who start with the cache issue tokens at once.
    assertThat(done.tokens()).isGreaterThanOrEqualTo(14 * done.rounds());
  }

  private static String code(Instant at) throws GeneralSecurityException {
    SecretKeySpec seed = new SecretKeySpec("12345678901234567890".getBytes(StandardCharsets.US_ASCII), "RAW");
    return new TimeBasedOneTimePasswordGenerator().generateOneTimePasswordString(seed, at);
  }

  private String radclient(String name, String passcode) throws IOException {
    return radclient(demo.radius(), name, passcode);
  }

  private static String radclient(int port, String name, String passcode) throws IOException {
    Process process =
        new ProcessBuilder("/usr/bin/radclient", "-x", "-r", "1", "-t", "30", "127.0.0.1:" + port, "auth", "demo-secret")
            .redirectErrorStream(true)
            .start();
    try (Writer request = process.outputWriter()) {
      request.write("User-Name = \"" + name + "\"\nUser-Password = \"" + passcode + "\"\nMessage-Authenticator = 0x00\n");
    }
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private String app(String path) {
    return "http://app.localhost:" + demo.app() + path;
  }

  private HttpResponse<String> admin(String path, String key) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + demo.admin() + path));
    if (!key.isEmpty()) {
      request.header("Authorization", "Bearer " + key);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode post(String path, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + demo.admin() + path))
            .header("Authorization", "Bearer " + Files.readString(folder.resolve("demo/admin-key")).strip())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
    return new JsonMapper().readTree(answer.body());
  }

  private int get(int port, String host, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).header("Host", host + ":" + port).build();
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }
}
