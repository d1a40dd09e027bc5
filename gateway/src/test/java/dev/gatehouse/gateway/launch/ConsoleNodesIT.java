package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.launch.PlainBrowser.Form;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ServerProcess;
import dev.gatehouse.gateway.process.Servers;
import java.io.IOException;
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
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console of two nodes behind a balancer that sends each request to the other one: real PostgreSQL, Valkey and slapd. */
@Tag("long")
@Timeout(300)
class ConsoleNodesIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Path SAMPLE = Path.of("src/test/resources/shared");
  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");

  private static final Pattern CALLBACK = Pattern.compile("href=\"(http://localhost:[^\"]+/console/login/callback[^\"]+)\"");

  // For people: identity provider, apps, administration. Then the same of each node.
  private static final List<Integer> PORTS = FreePorts.take(9);

  @AutoClose private static final Servers SERVERS = new Servers();
  private static SharedParts parts;
  private static Path folder;
  private static String key;
  private static ServerProcess second;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    folder = data;
    parts = SharedParts.start(SERVERS, PORTS.get(0), PORTS.get(1));
    // The nodes read the metadata of their partners at the public addresses.
    SERVERS.begun(new SwitchedPort(PORTS.get(0), List.of(PORTS.get(3), PORTS.get(6))));
    SERVERS.begun(new SwitchedPort(PORTS.get(1), List.of(PORTS.get(4), PORTS.get(7))));
    Path first = Files.createDirectories(data.resolve("first"));
    Files.copy(SAMPLE.resolve("realms/office.yaml"), Files.createDirectories(first.resolve("realms")).resolve("office.yaml"));
    first(first);
    node(0, first);
    Path alone = Files.createDirectories(data.resolve("second"));
    first(alone);
    second = node(1, alone);
    ServerProcess made =
        SERVERS.begun(
            ServerProcess.start(
                "keys", Files.createDirectories(Path.of("target/console-nodes/keys")), environment(0),
                BuiltNode.command("keys", "admin", "--name", "test", "--config", first.toString())));
    made.await(() -> made.output().lines().anyMatch(ConsoleNodesIT::isKey) && made.output().endsWith("\n"), PATIENCE);
    key = made.output().lines().filter(ConsoleNodesIT::isKey).findFirst().orElseThrow();
    HttpResponse<String> granted = rest("PUT", "administrators/alice", "{\"role\": \"admin\"}");
    assertThat(granted.statusCode()).as(granted.body()).isEqualTo(200);
  }

  /** The log has spaces. */
  private static boolean isKey(String line) {
    return line.startsWith("gha_") && !line.contains(" ");
  }

  private static void first(Path configuration) throws IOException {
    String node = Files.readString(SAMPLE.resolve("gatehouse.yaml"));
    Files.writeString(
        configuration.resolve("gatehouse.yaml"), node + "admin: {realm: office, publicUrl: \"http://localhost:${PUBLIC_ADMIN}\"}\n");
  }

  private static Map<String, String> environment(int index) {
    SharedParts.Ports ports = new SharedParts.Ports(PORTS.get(3 + 3 * index), PORTS.get(4 + 3 * index), PORTS.get(5 + 3 * index));
    Map<String, String> environment = parts.of(index, folder.resolve("data" + index), ports);
    environment.put("PUBLIC_ADMIN", String.valueOf(PORTS.get(2)));
    return environment;
  }

  private static ServerProcess node(int index, Path configuration) throws IOException {
    ServerProcess node =
        BuiltNode.run(configuration, Files.createDirectories(Path.of("target/console-nodes/node" + index)), environment(index));
    SERVERS.begun(node::kill);
    node.await(() -> node.output().contains("The node serves after"), PATIENCE);
    return node;
  }

  private static String console(String path) {
    return "http://localhost:" + PORTS.get(2) + "/console/" + path;
  }

  private static HttpResponse<String> rest(String method, String path, String body) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PORTS.get(5) + "/admin/v1/" + path))
              .header("Authorization", "Bearer " + key)
              .header("Content-Type", "application/json")
              .method(method, BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    }
  }

  /** Sends each request for a public port to the node that did not get the one before. */
  private static PlainBrowser alternating(AtomicInteger requests) {
    return new PlainBrowser(port -> PORTS.get(3 + PORTS.indexOf(port) + 3 * (requests.getAndIncrement() % 2)));
  }

  private static Form form(Shown page, String action, String... fields) {
    Matcher csrf = CSRF.matcher(page.body());
    assertThat(csrf.find()).as(page.url() + " " + page.status() + " " + page.body()).isTrue();
    Map<String, String> all = new LinkedHashMap<>(Map.of("csrf", csrf.group(1)));
    for (int i = 0; i < fields.length; i += 2) {
      all.put(fields[i], fields[i + 1]);
    }
    return new Form(URI.create(console(action)), all);
  }

  private static Shown logIn(PlainBrowser browser) throws IOException, InterruptedException {
    Shown login = browser.open(console("login/person"));
    assertThat(login.url().getHost()).isEqualTo("idp.localhost");
    Shown back = goOn(browser, browser.submit(login, browser.form(login).with("username", "alice").with("password", "demo")));
    assertThat(back.url().toString()).as(back.body()).startsWith(console("login/callback"));
    assertThat(back.status()).as(back.body()).isEqualTo(200);
    return browser.open(console(""));
  }

  /** Follows the page that leads on to the console without script. */
  private static Shown goOn(PlainBrowser browser, Shown page) throws IOException, InterruptedException {
    Matcher link = CALLBACK.matcher(page.body());
    return link.find() ? browser.open(link.group(1).replace("&amp;", "&")) : page;
  }

  private static Shown opened(PlainBrowser browser, String path) {
    try {
      return browser.open(console(path));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theConsoleWorksWhenEachRequestGoesToAnotherNode() throws Exception {
    String realm = Files.readString(SAMPLE.resolve("realms/office.yaml"));
    String latest = rest("GET", "revisions?limit=1", "").body().replaceAll("(?s).*\"inUse\":(\\d+).*", "$1");
    String renamed = Base64.getEncoder().encodeToString(("brand: {displayName: Renamed}\n" + resolved(realm)).getBytes(StandardCharsets.UTF_8));
    HttpResponse<String> applied =
        send(
            "POST", "revisions", "{\"reason\": \"test\", \"files\": [{\"path\": \"realms/office.yaml\", \"base64\": \"" + renamed + "\"}]}",
            "If-Match", "\"" + latest + "\"");
    assertThat(applied.statusCode()).as(applied.body()).isEqualTo(201);
    second.await(() -> second.output().contains("of another node is in use"), PATIENCE);
    AtomicInteger requests = new AtomicInteger();
    try (PlainBrowser browser = alternating(requests)) {
      Shown overview = logIn(browser);
      assertThat(overview.body()).as(overview.url().toString()).contains("office/alice");
      for (String path : List.of("", "realms", "revisions", "nodes", "jobs", "request")) {
        Shown page = browser.open(console(path));
        assertThat(page.url()).isEqualTo(URI.create(console(path)));
        assertThat(page.status()).as(path).isEqualTo(200);
      }

      // Again, as before what is dangerous: the session of before is replaced at whichever node answers.
      Shown again = browser.open(console("login/person?again=true&page=%2Fconsole%2Frevisions"));
      again = goOn(browser, again);
      assertThat(again.url().toString()).startsWith(console("login/callback"));
      assertThat(again.status()).as(again.url() + again.body()).isEqualTo(200);

      Shown question = browser.open(console("revisions/" + latest + "/rollback"));
      assertThat(question.status()).as(question.body()).isEqualTo(200);
      String number = String.valueOf(Long.parseLong(latest) + 1);
      Shown changed =
          browser.submit(question, form(question, "revisions/" + latest + "/rollback", "ifMatch", "\"" + number + "\"", "reason", "back"));
      assertThat(changed.url().toString()).as(changed.body()).contains("done=rolled-back");
      Eventually.holds(() -> inUseAtBoth(Long.parseLong(latest) + 2));

      Shown jobs = browser.open(console("jobs"));
      Shown job = browser.submit(jobs, form(jobs, "jobs/audit-verification"));
      assertThat(job.status()).as(job.body()).isEqualTo(200);
      String id = job.url().getPath().replaceFirst(".*/", "");
      // Both nodes are asked, one after the other.
      Eventually.holds(() -> Stream.of(1, 2).allMatch(node -> isSuccess(browser, id)));
    }
  }

  private static boolean isSuccess(PlainBrowser browser, String id) {
    return opened(browser, "jobs/" + id).body().contains("badge good");
  }

  private static boolean inUseAtBoth(long number) {
    try {
      String nodes = rest("GET", "nodes", "").body();
      return nodes.split("\"revision\":" + number + "[,}]", -1).length == 3;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The file without variables, which REST does not accept. */
  private static String resolved(String realm) {
    String text = realm;
    for (Map.Entry<String, String> variable : environment(0).entrySet()) {
      text = text.replace("${" + variable.getKey() + "}", variable.getValue());
    }
    return text;
  }

  private static HttpResponse<String> send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PORTS.get(5) + "/admin/v1/" + path))
              .header("Authorization", "Bearer " + key)
              .header("Content-Type", "application/json")
              .headers(headers)
              .method(method, BodyPublishers.ofString(body))
              .build(),
          BodyHandlers.ofString());
    }
  }

  @Test
  void loggingOutCountsAtBothNodes() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    try (PlainBrowser browser = alternating(requests)) {
      Shown overview = logIn(browser);
      Map<String, String> held = Map.copyOf(browser.cookies("localhost"));
      Shown out = browser.submit(overview, form(overview, "logout"));
      assertThat(out.url()).isEqualTo(URI.create(console("login")));
      browser.cookies("localhost").putAll(held);
      // A node learns within moments that another one ended a session which it has read before.
      Eventually.holds(() -> Stream.of(1, 2).allMatch(node -> isLogin(browser)));
    }
  }

  private static boolean isLogin(PlainBrowser browser) {
    return opened(browser, "").url().equals(URI.create(console("login")));
  }

  @Test
  void aNodeIsDrainedThroughAnyNode() throws Exception {
    assertThat(rest("POST", "nodes/1/drain", "").statusCode()).isEqualTo(204);
    Eventually.holds(() -> readiness(1) == 503);
    assertThat(readiness(0)).isEqualTo(200);
    assertThat(rest("GET", "nodes", "").body()).contains("\"draining\":true");
    assertThat(rest("POST", "nodes/1/undrain", "").statusCode()).isEqualTo(204);
    Eventually.holds(() -> readiness(1) == 200);
    assertThat(rest("POST", "nodes/7/drain", "").statusCode()).isEqualTo(404);
  }

  private static int readiness(int node) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI url = URI.create("http://127.0.0.1:" + PORTS.get(5 + 3 * node) + "/actuator/health/readiness");
      return http.send(HttpRequest.newBuilder(url).build(), BodyHandlers.discarding()).statusCode();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
