package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.process.ServerProcess;
import dev.gatehouse.gateway.process.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes as processes with one PostgreSQL and one Valkey: what one of them does counts at the other. */
@Timeout(300)
class SharedStorageIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  /** One of several revisions may be late on a busy machine. */
  private static final Duration LONGEST = Duration.ofSeconds(2);
  /** What the configuration of a realm says unless it is told. */
  private static final int PER_ACCOUNT = 10;

  private static final Path CONFIGURATION = Path.of("src/test/resources/shared");

  // For people: identity provider, apps. Then both for each node, and its administration.
  private static final List<Integer> PORTS = FreePorts.take(8);

  @AutoClose private static final Servers SERVERS = new Servers();
  private static SharedParts parts;
  private static SwitchedPort idp;
  private static SwitchedPort apps;
  private static ServerProcess first;
  private static ServerProcess second;
  private static Path folder;
  private static String key;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    folder = data;
    parts = SharedParts.start(SERVERS, PORTS.get(0), PORTS.get(1));
    idp = SERVERS.begun(new SwitchedPort(PORTS.get(0), List.of(PORTS.get(2), PORTS.get(5))));
    apps = SERVERS.begun(new SwitchedPort(PORTS.get(1), List.of(PORTS.get(3), PORTS.get(6))));
    first = node(0, CONFIGURATION);
    // It needs its gatehouse.yaml and the master key, nothing else.
    Path alone = Files.createDirectories(data.resolve("second"));
    Files.copy(CONFIGURATION.resolve("gatehouse.yaml"), alone.resolve("gatehouse.yaml"));
    second = node(1, alone);
    for (ServerProcess node : List.of(first, second)) {
      node.await(() -> node.output().split("taken over", -1).length > 2, PATIENCE);
    }
    key = madeKey("test");
  }

  private static String madeKey(String name) throws IOException {
    ServerProcess made = command(0, "keys", "admin", "--name", name, "--config", CONFIGURATION.toString());
    made.await(() -> made.output().lines().anyMatch(line -> !line.isEmpty() && !line.contains(" ")) && made.output().endsWith("\n"), PATIENCE);
    // The log has spaces.
    return made.output().lines().filter(line -> !line.isEmpty() && !line.contains(" ")).findFirst().orElseThrow();
  }

  private static Map<String, String> environment(int index) {
    SharedParts.Ports ports = new SharedParts.Ports(PORTS.get(2 + 3 * index), PORTS.get(3 + 3 * index), PORTS.get(4 + 3 * index));
    return parts.of(index, folder.resolve("data" + index), ports);
  }

  private static ServerProcess node(int index, Path configuration) throws IOException {
    Path logs = Files.createDirectories(Path.of("target/shared/node" + index));
    Map<String, String> own = environment(index);
    own.put("INDEX", "auto");
    ServerProcess node = BuiltNode.run(configuration, logs, own);
    SERVERS.begun(node::kill);
    return node;
  }

  private static void to(int node) {
    idp.to(node);
    apps.to(node);
  }

  @Test
  void aSessionThatBeganAtOneNodeIsServedAndEndedAtTheOther() throws Exception {
    try (PlainBrowser browser = new PlainBrowser()) {
      to(0);
      Shown login = browser.open(app());
      assertThat(login.body()).contains("Sign in");
      // The form goes to the other node, and so does everything after it.
      to(1);
      Shown posted = browser.submit(login, browser.form(login).with("username", "alice").with("password", "demo"));
      while (!posted.url().toString().startsWith(app())) {
        posted = browser.submit(posted, browser.form(posted));
      }
      assertThat(posted.body()).contains("alice");
      to(0);
      assertThat(browser.open(app()).body()).contains("alice");
      to(1);
      Shown out = browser.open("http://idp.localhost:" + PORTS.get(0) + "/realms/office/logout");
      out = browser.submit(out, browser.form(out));
      assertThat(out.status()).isEqualTo(200);
      to(0);
      assertThat(browser.open(app()).body()).contains("Sign in");
    }
  }

  private static String app() {
    return "http://app.localhost:" + PORTS.get(1) + "/";
  }

  /** The time is printed: the machine may be busy, so that the bound is generous; {@code bench faults} measures it. */
  @Test
  void aRevisionThatACommandAppliedIsServedByTheOtherNodeWithinTenSeconds() throws Exception {
    Path proposal = Files.createDirectories(folder.resolve("proposal/realms"));
    String realm = Files.readString(CONFIGURATION.resolve("realms/office.yaml"));
    Files.writeString(proposal.resolve("office.yaml"), "brand: {displayName: Renamed}\n" + realm);
    ServerProcess apply = command(0, "apply", "--config", CONFIGURATION.toString(), folder.resolve("proposal").toString());
    apply.await(() -> apply.output().contains("is in use"), PATIENCE);
    long applied = System.nanoTime();
    try (PlainBrowser browser = new PlainBrowser()) {
      to(1);
      while (!browser.open(app()).body().contains("Renamed")) {
        assertThat(System.nanoTime() - applied).isLessThan(Duration.ofSeconds(10).toNanos());
        Thread.sleep(5);
      }
    }
    System.out.println("A revision of the command is served by the other node after ms: " + (System.nanoTime() - applied) / 1_000_000);
  }

  @Test
  void theNodesAreListedWithTheRevisionOfEach() throws Exception {
    Eventually.holds(() -> rest("GET", 1, "nodes", "").body().split("\"running\":true", -1).length == 3);
    assertThat(rest("GET", 1, "nodes", "").body()).contains("\"index\":0", "\"index\":1", "\"revision\":", "\"leases\":[");
  }

  @Test
  void maintenanceOfOneNodeCountsAtTheOther() throws Exception {
    String route = "realms/office/maintenance?route=%2F";
    assertThat(rest("PUT", 0, route, "{\"on\": true}").statusCode()).isEqualTo(200);
    try (PlainBrowser browser = new PlainBrowser()) {
      to(1);
      Eventually.holds(() -> status(browser) == 503);
      assertThat(rest("DELETE", 1, route, "").statusCode()).isEqualTo(204);
      to(0);
      Eventually.holds(() -> status(browser) == 200);
    }
  }

  /** The last word is an event that one node has just recorded. */
  @Test
  void auditEventsOfEachNodeAreFoundAtTheOther() {
    for (int node = 0; node < 2; node++) {
      int other = 1 - node;
      assertThat(rest("GET", node, "audit?person=sought-at-" + node + "&format=jsonl", "").statusCode()).isEqualTo(200);
      String export = "audit?event=Administered";
      String sought = "sought-at-" + node;
      Eventually.holds(() -> rest("GET", other, export, "").body().contains(sought));
      Eventually.holds(() -> rest("GET", other, export, "").body().contains("\"complete\":true"));
      assertThat(rest("GET", other, export, "").body()).contains("\"nodes\":[{", "\"node\":0", "\"node\":1", "\"until\":\"20");
      assertThat(rest("GET", other, "audit?event=InstallationChanged", "").body().split("\"started\"", -1).length).isGreaterThan(2);
    }
    assertThat(rest("GET", 0, "health", "").body()).contains("auditSearch");
  }

  @Test
  void wrongPasswordsCountForBothNodes() throws Exception {
    int tries = 0;
    try (PlainBrowser browser = new PlainBrowser()) {
      int status = 0;
      while (status != 429) {
        to(tries % 2);
        Shown login = browser.open(app());
        status = browser.submit(login, browser.form(login).with("username", "bob").with("password", "wrong")).status();
        assertThat(tries++).isLessThan(PER_ACCOUNT + 1);
      }
    }
  }

  @Test
  void aKeyPreparedAtOneNodeIsPromotedAndRetiredAtTheOther() throws Exception {
    String keys = "realms/office/keys";
    assertThat(rest("POST", 0, keys + "/IDP_SIGNING/next", "").statusCode()).isEqualTo(201);
    Eventually.holds(() -> rest("GET", 1, keys, "").body().contains("\"next\""));
    assertThat(rest("POST", 1, keys + "/IDP_SIGNING/promote?now=true", "").statusCode()).isEqualTo(200);
    Eventually.holds(() -> rest("GET", 0, keys, "").body().contains("\"previous\""));
    assertThat(rest("POST", 0, keys + "/IDP_SIGNING/retire?now=true", "").statusCode()).isEqualTo(200);
    Eventually.holds(() -> !rest("GET", 1, keys, "").body().contains("\"previous\""));
  }

  /** The node that could record it runs elsewhere: its data folder is not here. */
  @Test
  void aKeyIsRevokedForAllNodesWhereNoNodeRuns() throws Exception {
    String leaked = madeKey("leaked");
    assertThat(restBy(leaked, "GET", 1, "realms", "").statusCode()).isEqualTo(200);
    Map<String, String> elsewhere = environment(0);
    elsewhere.put("DATA", folder.resolve("elsewhere").toString());
    ServerProcess revoke = command(elsewhere, "keys", "admin", "--revoke", "leaked", "--config", CONFIGURATION.toString());
    revoke.await(() -> revoke.output().contains("The stores are shared"), PATIENCE);
    assertThat(revoke.output()).contains("Revoked.", "The key leaked is revoked, but this is not in the audit log.");
    for (int node = 0; node < 2; node++) {
      int asked = node;
      Eventually.holds(() -> restBy(leaked, "GET", asked, "realms", "").statusCode() == 403);
    }
  }

  /** Of a small realm, from its acknowledgement; a large realm takes as long to be read as at the node where it is applied. */
  @Test
  void aRevisionIsInUseAtTheOtherNodeWithinASecond() throws Exception {
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String latest = rest("GET", 0, "revisions?limit=1", "").body().replaceAll("(?s).*\"inUse\":(\\d+).*", "$1");
      String present = Files.readString(folder.resolve("data0/configuration/realms/office.yaml"));
      String realm = "brand: {displayName: Revision " + i + "}\n" + present.replaceAll("(?m)^brand:.*\\n", "");
      String body =
          "{\"complete\": false, \"reason\": \"measured\", \"files\": [{\"path\": \"realms/office.yaml\", \"base64\": \""
              + Base64.getEncoder().encodeToString(realm.getBytes(StandardCharsets.UTF_8)) + "\"}]}";
      HttpResponse<String> applied = rest("POST", 0, "revisions", body, "If-Match", "\"" + latest + "\"");
      assertThat(applied.statusCode()).as(applied.body()).isBetween(200, 201);
      long acknowledged = System.nanoTime();
      String line = "Revision " + (Long.parseLong(latest) + 1) + " of another node is in use";
      while (!second.output().contains(line)) {
        assertThat(System.nanoTime() - acknowledged).as("of one revision").isLessThan(LONGEST.toNanos());
        Thread.sleep(5);
      }
      millis.add((System.nanoTime() - acknowledged) / 1_000_000);
    }
    Collections.sort(millis);
    System.out.println("A revision is in use at the other node after ms: " + millis + ", half within " + millis.get(2));
    assertThat(millis.get(2)).as("the median of five").isLessThan(1_000);
  }

  private static int status(PlainBrowser browser) {
    try {
      return browser.open(app()).status();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HttpResponse<String> rest(String method, int node, String path, String body, String... headers) {
    return restBy(key, method, node, path, body, headers);
  }

  private static HttpResponse<String> restBy(String secret, String method, int node, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PORTS.get(4 + 3 * node) + "/admin/v1/" + path))
            .header("Authorization", "Bearer " + secret)
            .method(method, BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ServerProcess command(int index, String... arguments) throws IOException {
    return command(environment(index), arguments);
  }

  private static ServerProcess command(Map<String, String> environment, String... arguments) throws IOException {
    Path logs = Files.createDirectories(Path.of("target/shared/command"));
    return SERVERS.begun(ServerProcess.start("command", logs, environment, BuiltNode.command(arguments)));
  }
}
