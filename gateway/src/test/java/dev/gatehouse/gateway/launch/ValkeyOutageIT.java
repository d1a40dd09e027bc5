package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ServerProcess;
import dev.gatehouse.gateway.process.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of {@code storage: shared} while Valkey stands still for longer than {@code staleness}. */
@Timeout(600)
class ValkeyOutageIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration STALENESS = Duration.ofSeconds(20);
  private static final Path CONFIGURATION = Path.of("src/test/resources/shared");
  private static final String PAGE = "This is not possible at the moment";
  private static final int NODES = 2;

  // For people: identity provider, apps. Then both for each node, and its administration.
  private static final List<Integer> PORTS = FreePorts.take(2 + 3 * NODES);

  @AutoClose private final Servers servers = new Servers();
  @TempDir private Path folder;
  private final ServerProcess[] nodes = new ServerProcess[NODES];
  private volatile int asked;

  @Test
  void knownSessionsAreServedForStalenessAndAllOthersGetAnHonestPage() throws Exception {
    SharedParts parts = start();
    try (PlainBrowser known = new PlainBrowser(this::port);
        PlainBrowser stranger = new PlainBrowser(this::port);
        PlainBrowser forger = new PlainBrowser(this::port)) {
      assertThat(login(known).body()).contains("alice");
      for (int node = 0; node < NODES; node++) {
        assertThat(page(known, node).body()).contains("alice");
      }
      parts.valkey().signal("STOP");
      long stopped = System.nanoTime();
      for (int node = 0; node < NODES; node++) {
        int each = node;
        Eventually.holds(() -> readiness(known, each) == 503);
        assertThat(page(known, node)).matches(page -> page.status() == 200 && page.body().contains("alice"), "a known session is served");
        forger.cookies("app.localhost").put("gh_app", "A".repeat(43));
        assertUnavailable(page(forger, node));
        assertThat(nodes[node].output()).contains("Valkey is not used");
        assertThat(health(node)).contains("\"stores\":{\"status\":\"AWAY\"");
      }
      assertUnavailable(login(stranger));
      assertThat(since(stopped)).as("all that within staleness").isLessThan(STALENESS);
      for (int node = 0; node < NODES; node++) {
        int each = node;
        Eventually.holds(() -> page(known, each).status() == 503);
        assertThat(since(stopped)).isGreaterThan(STALENESS.minusSeconds(2));
        assertUnavailable(page(known, node));
        assertThat(nodes[node].output().lines()).as("stack traces of requests").noneMatch(line -> line.contains("ERROR"));
      }
      parts.valkey().signal("CONT");
      for (int node = 0; node < NODES; node++) {
        int each = node;
        Eventually.holds(() -> readiness(known, each) == 200);
        Eventually.holds(() -> page(known, each).body().contains("alice"));
        Eventually.holds(() -> audited(each, "\"back\""));
        assertThat(audited(node, "\"lost\"")).isTrue();
      }
      assertThat(login(stranger).body()).contains("alice");
    }
  }

  /** Two nodes; each other's metadata they read at the first one. */
  private SharedParts start() throws IOException, InterruptedException {
    SharedParts parts = SharedParts.start(servers, PORTS.get(0), PORTS.get(1));
    Path configuration = folder.resolve("configuration");
    Files.createDirectories(configuration.resolve("realms"));
    Files.copy(CONFIGURATION.resolve("realms/office.yaml"), configuration.resolve("realms/office.yaml"));
    String node = Files.readString(CONFIGURATION.resolve("gatehouse.yaml"));
    Files.writeString(
        configuration.resolve("gatehouse.yaml"),
        node.replace("acknowledge: local", "acknowledge: local, staleness: " + STALENESS.toSeconds() + "s"));
    servers.begun(new SwitchedPort(PORTS.get(0), List.of(PORTS.get(2), PORTS.get(5))));
    servers.begun(new SwitchedPort(PORTS.get(1), List.of(PORTS.get(3), PORTS.get(6))));
    for (int i = 0; i < NODES; i++) {
      Path logs = Files.createDirectories(Path.of("target/shared/valkey-outage" + i));
      SharedParts.Ports ports = new SharedParts.Ports(PORTS.get(2 + 3 * i), PORTS.get(3 + 3 * i), admin(i));
      ServerProcess started = BuiltNode.run(configuration, logs, parts.of(i, folder.resolve("data" + i), ports));
      servers.begun(started::kill);
      nodes[i] = started.await(() -> started.output().split("taken over", -1).length > 2, PATIENCE);
    }
    return parts;
  }

  private static int admin(int node) {
    return PORTS.get(4 + 3 * node);
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  private static void assertUnavailable(Shown shown) {
    assertThat(shown.status()).as(shown.body()).isEqualTo(503);
    assertThat(shown.body()).contains(PAGE, "nothing was done");
    assertThat(shown.retryAfter()).contains("10");
  }

  /** Types name and password, and goes as far as that leads. */
  private static Shown login(PlainBrowser browser) throws Exception {
    Shown shown = browser.open(app());
    if (shown.status() == 200) {
      shown = browser.submit(shown, browser.form(shown).with("username", "alice").with("password", "demo"));
    }
    while (shown.status() == 200 && !shown.url().toString().startsWith(app())) {
      shown = browser.submit(shown, browser.form(shown));
    }
    return shown;
  }

  private Shown page(PlainBrowser browser, int node) throws IOException, InterruptedException {
    asked = node;
    return browser.open(app());
  }

  /** Where a request of a browser goes. */
  private int port(int called) {
    int balanced = PORTS.indexOf(called);
    return balanced == 0 || balanced == 1 ? PORTS.get(2 + balanced + 3 * asked) : called;
  }

  private static int readiness(PlainBrowser browser, int node) throws IOException, InterruptedException {
    return browser.fetch("http://127.0.0.1:" + admin(node) + "/actuator/health/readiness");
  }

  private static String health(int node) throws IOException, InterruptedException {
    URI health = URI.create("http://127.0.0.1:" + admin(node) + "/actuator/health");
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(health).build(), BodyHandlers.ofString()).body();
    }
  }

  private boolean audited(int node, String change) {
    try (Stream<Path> files = Files.walk(folder.resolve("data" + node + "/audit"))) {
      return files.filter(Files::isRegularFile).flatMap(ValkeyOutageIT::lines).anyMatch(line -> line.contains("SharedStoreOutage") && line.contains(change));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String app() {
    return "http://app.localhost:" + PORTS.get(1) + "/";
  }
}
