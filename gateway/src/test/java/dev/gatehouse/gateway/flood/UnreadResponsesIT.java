package dev.gatehouse.gateway.flood;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.flood.ProbedPage.Probe;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.FreePorts;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that ask for much and read nothing cost the node little: everybody else is answered within a second meanwhile.
 * The node is a process with 128 MB of direct memory; clients, prober and app are outside of it.
 */
@Timeout(240)
class UnreadResponsesIT {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final Duration SLOWEST = Duration.ofSeconds(1);

  /** Connections to the app that the prober's requests leave. */
  private static final int FEW = 20;

  @TempDir Path folder;

  private ServerProcess node(LargeFileApp app, int port, int admin) throws Exception {
    Path config = Files.createDirectories(folder.resolve("config/realms")).getParent();
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
    List<Integer> ports = FreePorts.take(2);
    String host = "127.0.0.1:" + ports.getFirst();
    try (LargeFileApp app = LargeFileApp.start();
        ServerProcess node = node(app, ports.get(0), ports.get(1));
        ProbedPage prober = new ProbedPage(LOOPBACK, ports.getFirst(), host, "/public/page")) {
      Thread.sleep(2000);
      prober.take();
      try (Flood flood = new Flood(ports.getFirst())) {
        flood.unreadStreams(LOOPBACK, 60, 128, host, "/public/large");
        for (int i = 0; i < 12; i++) {
          Thread.sleep(1000);
          flood.ping();
        }
        everybodyElseWasServed(prober.take());
        assertThat(health(ports.get(1)).statusCode()).isEqualTo(200);
        // Nothing was taken for longer than limits.times.write, and a PING is no reading.
        assertThat(app.connections()).isLessThan(FEW);
        assertThat(flood.ended()).isEqualTo(flood.connections());
      }
      Thread.sleep(5000);
      prober.take();
      Thread.sleep(1000);
      everybodyElseWasServed(prober.take());
      assertThat(node.output()).doesNotContain("OutOfDirectMemoryError", "OutOfMemoryError");
    }
  }

  @Test
  void connectionsThatReadNothingCostNobodyElseAnything() throws Exception {
    List<Integer> ports = FreePorts.take(2);
    String host = "127.0.0.1:" + ports.getFirst();
    try (LargeFileApp app = LargeFileApp.start();
        ServerProcess node = node(app, ports.get(0), ports.get(1));
        ProbedPage prober = new ProbedPage(LOOPBACK, ports.getFirst(), host, "/public/page")) {
      Thread.sleep(2000);
      prober.take();
      try (Flood flood = new Flood(ports.getFirst())) {
        for (int i = 2; i < 12; i++) {
          flood.unreadConnections(InetAddress.ofLiteral("127.0.0." + i), 250, host, "/public/large");
        }
        Thread.sleep(12_000);
        everybodyElseWasServed(prober.take());
        assertThat(health(ports.get(1)).statusCode()).isEqualTo(200);
        assertThat(app.mostConnections()).isGreaterThan(1000);
        assertThat(app.connections()).isLessThan(FEW);
      }
      Thread.sleep(5000);
      prober.take();
      Thread.sleep(1000);
      everybodyElseWasServed(prober.take());
      assertThat(node.output()).doesNotContain("OutOfDirectMemoryError", "OutOfMemoryError");
    }
  }

  private static void everybodyElseWasServed(List<Probe> probes) {
    assertThat(probes).isNotEmpty().allSatisfy(probe -> {
      assertThat(probe.status()).isEqualTo(200);
      assertThat(probe.took()).isLessThan(SLOWEST);
    });
  }

  private static HttpResponse<String> health(int port) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI health = URI.create("http://127.0.0.1:" + port + "/actuator/health/liveness");
      return client.send(HttpRequest.newBuilder(health).timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
    }
  }
}
