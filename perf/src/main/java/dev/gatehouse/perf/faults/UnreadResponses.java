package dev.gatehouse.perf.faults;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.NginxServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Clients request files of 20 MB and read nothing; the node has 512 MB of heap and 512 MB of direct memory.
 *
 * @param streams on each connection; 0 for HTTP/1.1
 * @param addresses loopback addresses of the connections
 */
record UnreadResponses(String name, String description, int connections, int streams, int addresses) implements FaultCase {

  private static final Duration SLOWEST = Duration.ofSeconds(1);
  /** Probes that took longer are named. */
  private static final long SLOW_NANOS = 300_000_000;

  private static final double RECOVERY_SECONDS = 5;
  private static final int FILE_BYTES = 20 << 20;
  private static final int IN_ROW = 5;

  static List<FaultCase> all() {
    return List.of(
        new UnreadResponses(
            "unread-h2", "60 HTTP/2 connections with a window of nothing ask for 128 files of 20 MB each.", 60, 128, 1),
        new UnreadResponses(
            "slow-readers", "5,000 HTTP/1.1 connections from ten addresses ask for a file of 20 MB each.", 5000, 0, 10),
        new UnreadResponses(
            "many-streams", "180 HTTP/2 connections with a window of nothing ask for 125 files of 20 MB each.", 180, 125, 1));
  }

  @Override
  public List<Figure> run(FaultContext context) throws Exception {
    int app = FreePorts.take();
    int port = FreePorts.take();
    context.closeAtEnd(NginxServer.start("app", context.work(), files(context.work(), app), app));
    GatehouseNode.Configured configured = configure(context.work(), port, app);
    GatehouseNode node = context.closeAtEnd(configured.start(Build.here(), Map.of("GATEHOUSE_JAVA_OPTS", "-Xmx512m"))).await();
    Prober prober = context.closeAtEnd(Prober.start(port, "127.0.0.1:" + port, "/public/page.html", 200));
    Thread.sleep(Duration.ofSeconds(10));
    List<Figure> figures = new ArrayList<>(attack(context, prober, node, "a node that has just started"));
    figures.addAll(attack(context, prober, node, "the same node again"));
    return figures;
  }

  private List<Figure> attack(FaultContext context, Prober prober, GatehouseNode node, String target) throws Exception {
    context.progress("the attack begins on " + target);
    long begin = System.nanoTime();
    int port = node.configured().port();
    Process attacker = context.attack(UnreadClients.class, port, connections, streams, "/public/large.html", addresses);
    Thread.sleep(context.duration());
    int health = node.health("liveness", 20_000);
    long end = System.nanoTime();
    attacker.destroyForcibly().waitFor();
    context.progress("the attacker has left");
    Thread.sleep(Duration.ofSeconds(10));
    List<Prober.Probe> during = prober.between(begin, end);
    for (Prober.Probe probe : during) {
      if (probe.nanos() > SLOW_NANOS || !probe.answered()) {
        double at = (probe.at() - begin) / 1e9;
        String page = probe.answered() ? "" : " and got no page";
        context.progress(format("a probe %.1f s after the beginning took %.2f s%s", at, probe.nanos() / 1e9, page));
      }
    }
    double recovery = prober.recoveredAfter(end, SLOWEST, IN_ROW);
    return List.of(
        Figure.atLeast(1, target + ": probes during the attack", during.size(), ""),
        Figure.atMost(SLOWEST.toMillis(), target + ": longest answer to the prober", Prober.longestMillis(during), "ms"),
        Figure.atMost(0, target + ": probes without the page", Prober.unanswered(during), ""),
        Figure.atMost(RECOVERY_SECONDS, target + ": recovery", Double.isNaN(recovery) ? Double.MAX_VALUE : recovery, "s"),
        Figure.holds(target + ": liveness is 200 during the attack", health == 200));
  }

  private static String files(Path work, int port) throws IOException {
    Path root = Files.createDirectories(work.resolve("files/public"));
    Files.write(root.resolve("large.html"), new byte[FILE_BYTES]);
    Files.writeString(root.resolve("page.html"), "<p>page</p>\n");
    return "server { listen 127.0.0.1:" + port + " backlog=8192; root " + root.getParent() + "; }\n";
  }

  private static GatehouseNode.Configured configure(Path work, int port, int app) throws IOException {
    String realm =
        """
        sp:
          publicUrl: http://127.0.0.1:%1$d
          identityProvider: http://127.0.0.1:1/realms/faults
        partners:
          - entityId: http://127.0.0.1:1/realms/faults
            metadata: http://127.0.0.1:1/realms/faults/saml/metadata
        routes:
          - {path: /public/, upstream: "http://127.0.0.1:%2$d", access: public}
        """
            .formatted(port, app);
    return GatehouseNode.configure("node", work, "[sp, gateway]", "gateway", port, Map.of("faults", realm));
  }
}
