package dev.gatehouse.gateway.flood;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.flood.ProbedPage.Probe;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ServerProcess;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that ask for much and read nothing cost the node little: everybody else is answered within a second meanwhile.
 * The node is a process with 128 MB of direct memory; clients, prober and app are outside of it.
 */
@Timeout(400)
class UnreadResponsesIT {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final Duration LONGEST = Duration.ofSeconds(90);
  private static final Duration SLOWEST = Duration.ofSeconds(1);

  /** Connections to the app that the prober's requests leave. */
  private static final int FEW = 20;

  @TempDir Path folder;

  private ServerProcess node(LargeFileApp app, int port, int admin) throws Exception {
    Path config = folder.resolve("config");
    Files.createDirectories(config.resolve("realms"));
    Files.writeString(
        config.resolve("gatehouse.yaml"),
        """
        roles: [sp, gateway]
        listeners:
          gateway: [{address: 127.0.0.1, port: %d}]
          admin: {port: %d}
        storage: volatile
        data: %s
        cache: {memory: 8MB}
        limits: {times: {write: 5s}}
        """
            .formatted(port, admin, folder.resolve("data")));
    Files.writeString(
        config.resolve("realms/demo.yaml"),
        """
        sp:
          publicUrl: http://127.0.0.1:%d
          identityProvider: http://127.0.0.1:1/realms/demo
        partners:
          - entityId: http://127.0.0.1:1/realms/demo
            metadata: http://127.0.0.1:1/realms/demo/saml/metadata
        routes:
          - {name: public, path: /public/, upstream: "http://127.0.0.1:%d", access: public}
        """
            .formatted(port, app.port()));
    Path logs = Files.createDirectories(Path.of("target/flood"));
    return BuiltNode.run(config, logs, Map.of("JAVA_TOOL_OPTIONS", "-XX:MaxDirectMemorySize=128m"));
  }

  @Test
  void streamsWithoutAWindowCostNobodyElseAnything() throws Exception {
    attack(flood -> flood.unreadStreams(LOOPBACK, 60, 128, flood.host(), "/public/large"));
  }

  @Test
  @Tag("long")
  void connectionsThatReadNothingCostNobodyElseAnything() throws Exception {
    attack(
        flood -> {
          for (int i = 2; i < 12; i++) {
            InetAddress from = InetAddress.ofLiteral("127.0.0." + i);
            flood.unreadConnections(from, 250, flood.host(), "/public/large");
          }
        });
  }

  private void attack(Consumer<Flood> asking) throws Exception {
    List<Integer> ports = FreePorts.take(2);
    try (LargeFileApp app = LargeFileApp.start();
        ServerProcess node = node(app, ports.get(0), ports.get(1));
        Flood flood = new Flood(ports.getFirst());
        ProbedPage prober = new ProbedPage(LOOPBACK, ports.getFirst(), flood.host(), "/public/page")) {
      until(() -> prober.take().stream().anyMatch(UnreadResponsesIT::isGood));
      asking.accept(flood);
      until(() -> app.maxConnections() > FEW);
      assertThat(get(ports.get(1), "/actuator/health/liveness").statusCode()).isEqualTo(200);
      // Nothing is taken for longer than limits.times.write, and a PING is no reading.
      until(
          () -> {
            flood.ping();
            return app.connections() < FEW;
          });
      everybodyElseWasServed(prober.take());
      assertThat(get(ports.get(1), "/actuator/health").body()).doesNotContain("Exception");
      flood.close();
      until(() -> prober.take().stream().anyMatch(UnreadResponsesIT::isGood));
      assertThat(node.output()).doesNotContain("OutOfDirectMemoryError", "OutOfMemoryError", "Too many open files");
    }
  }

  private static void until(BooleanSupplier met) throws InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!met.getAsBoolean()) {
      assertThat(System.nanoTime() - end).isNegative();
      Thread.sleep(500);
    }
  }

  private static boolean isGood(Probe probe) {
    return probe.status() == 200 && probe.took().compareTo(SLOWEST) < 0;
  }

  /** On a machine that does much else at the same time a few may be slower; bench faults asks for more. */
  private static void everybodyElseWasServed(List<Probe> probes) {
    assertThat(probes).isNotEmpty().allSatisfy(probe -> assertThat(probe.status()).isEqualTo(200));
    assertThat(probes.stream().filter(UnreadResponsesIT::isGood).count()).isGreaterThan(probes.size() * 8L / 10);
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + port + path);
      return client.send(HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
    }
  }
}
