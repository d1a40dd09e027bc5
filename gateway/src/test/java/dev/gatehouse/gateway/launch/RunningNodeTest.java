package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.realm.inuse.FileRealms;
import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.revision.RevisionDiff;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.gateway.node.StoreFamilies;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that play some of the roles, from the sample configuration of docker/, on free ports and without a disk. */
@Timeout(120)
class RunningNodeTest {
  private static final Path SAMPLES = Path.of("../docker/config");
  private static final int HANGING = 60;

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir Path folder;

  @Test
  void theRoleIdpAlone() throws IOException, InterruptedException {
    try (RunningNode node = RunningNode.start(sample("idp"), Map.of())) {
      assertThat(node.ports().gateway()).isEmpty();
      int port = node.ports().idp().getFirst();
      HttpResponse<String> metadata = get(port, "idp.localhost:8080", "/realms/demo/saml/metadata");
      assertThat(metadata.statusCode()).isEqualTo(200);
      assertThat(metadata.body()).contains("http://idp.localhost:8080/realms/demo");
      assertThat(get(node.ports().admin(), "localhost", "/actuator/health/liveness").statusCode()).isEqualTo(200);
      assertThat(get(node.ports().admin(), "localhost", "/actuator/prometheus").body())
          .contains("jvm_memory_used_bytes", "\ngatehouse_sessions{kind=\"idp\"} 0.0\n")
          .doesNotContain("gatehouse_sessions{kind=\"app\"}");
    }
  }

  @Test
  void healthAndMetricsHaveAListenerOfTheirOwn() throws IOException, InterruptedException {
    try (RunningNode node = RunningNode.start(sample("idp"), Map.of())) {
      int port = node.ports().metrics().orElseThrow();
      assertThat(get(port, "anything.example", "/metrics").body()).contains("jvm_memory_used_bytes", "gatehouse_space_free_bytes");
      HttpResponse<String> live = get(port, "localhost", "/health/live");
      assertThat(live.statusCode()).isEqualTo(200);
      assertThat(live.body()).isEqualTo("{\"status\":\"UP\"}");
      Eventually.holds(() -> status(port, "/health/ready") == 200);
      HttpResponse<String> whole = get(port, "localhost", "/health");
      // The directory of the sample is not there.
      assertThat(whole.statusCode()).isEqualTo(503);
      assertThat(whole.body()).isEqualTo("{\"status\":\"DOWN\"}");
      assertThat(status(port, "/admin/v1/realms")).isEqualTo(404);
      assertThat(status(node.ports().admin(), "/actuator/health")).isEqualTo(503);
    }
  }

  @Test
  void aNodeWithoutTheListenerHasNone() throws IOException {
    Path config = sample("idp");
    Path file = config.resolve("gatehouse.yaml");
    Files.writeString(file, Files.readString(file).replaceAll("  metrics: .*\n", ""));
    try (RunningNode node = RunningNode.start(config, Map.of())) {
      assertThat(node.ports().metrics()).isEmpty();
    }
  }

  @Test
  void aPortOfMetricsInUseIsSaidBeforeAnythingIsStarted() throws IOException {
    Path config = sample("idp");
    Path file = config.resolve("gatehouse.yaml");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      String ours = "metrics: {address: 127.0.0.1, port: " + taken.getLocalPort();
      Files.writeString(file, Files.readString(file).replace("metrics: {address: 127.0.0.1, port: 0", ours));
      StringWriter err = new StringWriter();
      int exit = Launcher.commandLine().setErr(new PrintWriter(err, true)).execute("run", "--config", config.toString());
      assertThat(exit).isEqualTo(1);
      assertThat(err.toString())
          .contains("listeners.metrics: cannot listen on port " + taken.getLocalPort() + " of 127.0.0.1", "configure another port")
          .doesNotContain("\tat ");
    }
  }

  private int status(int port, String path) {
    try {
      return get(port, "localhost", path).statusCode();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theRolesSpAndGateway() throws IOException, InterruptedException {
    try (RunningNode node = RunningNode.start(sample("gateway"), Map.of())) {
      assertThat(node.ports().idp()).isEmpty();
      int port = node.ports().gateway().getFirst();
      HttpResponse<String> metadata = get(port, "app.localhost:8000", "/.gatehouse/saml/metadata");
      assertThat(metadata.statusCode()).isEqualTo(200);
      assertThat(metadata.body()).contains("http://app.localhost:8000/.gatehouse/saml/acs");
      assertThat(get(node.ports().admin(), "localhost", "/actuator/prometheus").body())
          .contains("\ngatehouse_sessions{kind=\"app\"} 0.0\n")
          .doesNotContain("gatehouse_sessions{kind=\"idp\"}");
    }
  }

  @Test
  void eachConfigurationThatCameIntoUseIsARevision() throws IOException {
    Path config = sample("idp");
    try (RunningNode node = RunningNode.start(config, Map.of())) {
      RevisionStore revisions = node.get(RevisionStore.class);
      Eventually.holds(() -> revisions.latest().isPresent());
      FileRealms realms = node.get(FileRealms.class);
      realms.reload();
      assertThat(revisions.latest()).map(Revision::number).contains(1L);
      Path realm = config.resolve("realms/demo.yaml");
      Files.writeString(realm, Files.readString(realm) + "# a comment\n");
      realms.reload();
      assertThat(revisions.latest()).map(Revision::number).contains(2L);
      assertThat(revisions.diff(1, 2).files()).extracting(RevisionDiff.FileDiff::path).containsExactly("realms/demo.yaml");
      Files.writeString(realm, "unknown: true\n");
      realms.reload();
      assertThat(revisions.latest()).map(Revision::number).contains(2L);
    }
  }

  @Test
  void aStoppedNodeLetsGoOfWhatItHad() throws IOException, InterruptedException {
    Path config = sample("idp");
    int port;
    try (RunningNode first = RunningNode.start(config, Map.of())) {
      port = first.ports().idp().getFirst();
    }
    Path file = config.resolve("gatehouse.yaml");
    Files.writeString(file, Files.readString(file).replace("address: \"*\", port: 0", "address: \"*\", port: " + port));
    try (RunningNode second = RunningNode.start(config, Map.of())) {
      assertThat(second.ports().idp()).containsExactly(port);
    }
  }

  @Test
  void aDataFolderInUseIsSaidWithoutAStackTrace() throws IOException {
    Path config = sample("idp");
    Path file = config.resolve("gatehouse.yaml");
    Files.writeString(file, Files.readString(file).replace("storage: volatile", "storage: embedded"));
    StringWriter err = new StringWriter();
    try (RunningNode first = RunningNode.start(config, Map.of())) {
      assertThat(first.ports().idp()).hasSize(1);
      int exit = Launcher.commandLine().setErr(new PrintWriter(err, true)).execute("run", "--config", config.toString());
      assertThat(exit).isEqualTo(1);
    }
    assertThat(err.toString()).contains("A node has the data in ", " open: stop it first.").doesNotContain("\tat ");
  }

  @Test
  void memoryThatThereIsNotIsSaidByCheckAndByRun() throws IOException {
    Path config = sample("gateway");
    Path file = config.resolve("gatehouse.yaml");
    Files.writeString(file, Files.readString(file) + "\ncache: {memory: 16GB}\nmemory: {buffers: 64GB}\n");
    for (String command : List.of("check", "run")) {
      StringWriter said = new StringWriter();
      PrintWriter to = new PrintWriter(said, true);
      assertThat(Launcher.commandLine().setOut(to).setErr(to).execute(command, "--config", config.toString())).isEqualTo(1);
      assertThat(said.toString())
          .contains("cache.memory (16384 MB) and memory.buffers (65536 MB) do not fit", "-XX:MaxDirectMemorySize=")
          .doesNotContain("\tat ");
    }
  }

  /**
   * Partners that accept and never answer: neither at start nor after a change of the configuration. They are so many that even a
   * slow start is over before all of them were asked: only a few of one server are asked at once, each for ten seconds.
   */
  @Test
  void partnersThatHangDoNotTurnReadinessOff() throws IOException, InterruptedException {
    try (SilentServer first = new SilentServer();
        SilentServer second = new SilentServer()) {
      Path config = sample("gateway");
      addPartners(config, first, HANGING);
      try (RunningNode node = RunningNode.start(config, Map.of())) {
        assertThat(readiness(node)).isEqualTo(200);
        assertThat(get(node.ports().admin(), "localhost", "/actuator/health").body())
            .contains("\"partners\":{\"status\":\"UNKNOWN\"}");
        isReadyUntil(node, first::wasAsked);
        addPartners(config, second, 1);
        isReadyUntil(node, second::wasAsked);
        assertThat(readiness(node)).as("while it hangs").isEqualTo(200);
      }
    }
  }

  /** In memory each store creates its family when it is made, so these are the families that are needed. */
  @ParameterizedTest
  @ValueSource(strings = {"idp", "gateway"})
  void newDataHaveAllFamiliesFromTheBeginning(String roles) throws IOException, InterruptedException {
    try (RunningNode node = RunningNode.start(sample(roles), Map.of())) {
      String metrics = get(node.ports().admin(), "localhost", "/actuator/prometheus").body();
      Set<String> used =
          Pattern.compile("gatehouse_store_keys\\{store=\"([^\"]+)\"").matcher(metrics).results().map(found -> found.group(1))
              .collect(Collectors.toSet());
      used.remove("default");
      assertThat(StoreFamilies.of(node.node())).containsExactlyInAnyOrderElementsOf(used);
    }
  }

  private static void addPartners(Path config, SilentServer server, int number) throws IOException {
    Path realm = config.resolve("realms/demo.yaml");
    String added =
        IntStream.range(0, number)
            .mapToObj(i -> "http://127.0.0.1:%d/%d".formatted(server.port(), i))
            .map("  - {entityId: \"%1$s\", metadata: {url: \"%1$s\"}}\n"::formatted)
            .collect(Collectors.joining());
    Files.writeString(realm, Files.readString(realm).replace("partners:\n", "partners:\n" + added));
  }

  private void isReadyUntil(RunningNode node, Callable<Boolean> event) {
    Eventually.holds(
        () -> {
          assertThat(readiness(node)).isEqualTo(200);
          return event.call();
        });
  }

  /** Accepts connections and never answers. */
  private static final class SilentServer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();

    SilentServer() throws IOException {
      Thread.ofVirtual().start(this::accept);
    }

    int port() {
      return listener.getLocalPort();
    }

    boolean wasAsked() {
      return !connections.isEmpty();
    }

    private void accept() {
      try {
        while (true) {
          connections.add(listener.accept());
        }
      } catch (IOException e) {
        // Closed.
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
      for (Socket connection : connections) {
        connection.close();
      }
    }
  }

  private int readiness(RunningNode node) throws IOException, InterruptedException {
    return get(node.ports().admin(), "localhost", "/actuator/health/readiness").statusCode();
  }

  private Path sample(String name) throws IOException {
    Path config = folder.resolve(name);
    Files.createDirectories(config.resolve("realms"));
    String node = Files.readString(SAMPLES.resolve(name).resolve("gatehouse.yaml"));
    String ours = node.replaceAll("port: \\d+", "port: 0").replace("data: /var/lib/gatehouse", "storage: volatile\ndata: ../data");
    Files.writeString(config.resolve("gatehouse.yaml"), ours);
    Files.copy(SAMPLES.resolve(name).resolve("realms/demo.yaml"), config.resolve("realms/demo.yaml"));
    return config;
  }

  private HttpResponse<String> get(int port, String host, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).header("Host", host).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
