package dev.gatehouse.perf.revisions;

import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.harness.ResultsOption;
import dev.gatehouse.perf.server.DemoApp;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench revisions}. */
@Command(
    name = "revisions",
    mixinStandardHelpOptions = true,
    description = {
      "Measure how long a change of a configuration with many partners and routes takes, from the request until it is in use,",
      "while visitors ask for a page: none of their requests may fail. Then the node is killed (SIGKILL) at random moments of",
      "changes and started again: every change that was acknowledged must be in use, and the one that was interrupted wholly or",
      "not at all."
    })
public final class RevisionsCommand implements Callable<Integer> {

  private static final double WANTED_SECONDS = 2;

  @Option(names = "--partners", paramLabel = "N", defaultValue = "1000", description = "Partners of the realm (${DEFAULT-VALUE}).")
  int partners;

  @Option(names = "--routes", paramLabel = "N", defaultValue = "10000", description = "Routes of the realm (${DEFAULT-VALUE}).")
  int routes;

  @Option(names = "--changes", paramLabel = "N", defaultValue = "10", description = "Changes that are measured (${DEFAULT-VALUE}).")
  int changes;

  @Option(names = "--kills", paramLabel = "N", defaultValue = "10", description = "Changes during which the node is killed (${DEFAULT-VALUE}).")
  int kills;

  @Mixin ResultsOption output = new ResultsOption();

  @Spec CommandSpec spec = CommandSpec.create();

  /** A change under load. */
  record Applied(double seconds, long requestsMeanwhile, long failedMeanwhile, boolean servesAtOnce) {}

  /** A kill during a change. */
  record Killed(double afterSeconds, boolean acknowledged, boolean newRevisionInUse, boolean consistent) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Instant start = Instant.now();
    List<Applied> applied = new ArrayList<>();
    List<Killed> killed = new ArrayList<>();
    try (DemoApp app = DemoApp.start();
        ChangedNode node = start(app)) {
      for (int i = 1; i <= changes; i++) {
        applied.add(apply(node, i));
        System.err.printf(Locale.ROOT, "change %d: %.2f s%n", i, applied.getLast().seconds());
      }
      double usual = applied.stream().mapToDouble(Applied::seconds).sorted().skip(changes / 2).findFirst().orElse(1);
      for (int i = 1; i <= kills; i++) {
        killed.add(kill(node, changes + i, usual));
        System.err.println("kill " + i + ": " + killed.getLast());
      }
    }
    List<String> failures = failures(applied, killed);
    Map<String, String> settings = Map.of("partners", String.valueOf(partners), "routes", String.valueOf(routes));
    Report report =
        new Report(
            "revisions", BenchmarkCommand.command(spec), Report.commitHere(), start, Machine.here(), settings, List.of(),
            List.of(applied, killed), failures);
    System.out.println(report.write(output.results, conclusions(applied, killed)));
    return failures.isEmpty() ? 0 : 1;
  }

  private ChangedNode start(DemoApp app) throws IOException, InterruptedException {
    int port = FreePorts.take();
    LargeRealm realm = new LargeRealm(partners, routes, port, app.url());
    GatehouseNode.Configured configured =
        GatehouseNode.configure(
            "node", Files.createTempDirectory("gatehouse-revisions-"), "[sp, gateway]",
            "gateway: [{address: 127.0.0.1, port: " + port + "}]", "configuration: {source: database}", port,
            Map.of("demo", realm.text(0)));
    return new ChangedNode(configured, realm);
  }

  private static Applied apply(ChangedNode node, long change) throws IOException, InterruptedException {
    long expected = node.inUse();
    try (Visitors visitors = new Visitors(node.page(LargeRealm.STEADY))) {
      Thread.sleep(500);
      long answered = visitors.answered();
      long started = System.nanoTime();
      node.apply(change, expected);
      double seconds = (System.nanoTime() - started) / 1e9;
      boolean serves = node.status(LargeRealm.added(change)) == 200;
      Thread.sleep(500);
      return new Applied(seconds, visitors.answered() - answered, visitors.failed(), serves);
    }
  }

  private static Killed kill(ChangedNode node, long change, double usualSeconds) throws IOException, InterruptedException {
    long before = node.inUse();
    boolean[] acknowledged = new boolean[1];
    Thread administrator =
        Thread.startVirtualThread(
            () -> {
              try {
                node.apply(change, before);
                acknowledged[0] = true;
              } catch (IOException e) {
                // The node was killed before it answered.
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    double after = RandomGenerator.getDefault().nextDouble() * usualSeconds * 1.1;
    Thread.sleep((long) (after * 1000));
    node.kill();
    administrator.join();
    node.restart();
    long inUse = node.inUse();
    boolean isNew = inUse == before + 1;
    boolean serves = node.status(LargeRealm.added(change)) == 200;
    boolean whole = (isNew || inUse == before) && serves == isNew && node.status(LargeRealm.STEADY) == 200;
    return new Killed(after, acknowledged[0], isNew, whole && (isNew || !acknowledged[0]));
  }

  private static List<String> failures(List<Applied> applied, List<Killed> killed) {
    List<String> failures = new ArrayList<>();
    applied.stream().filter(a -> a.failedMeanwhile() > 0 || !a.servesAtOnce()).forEach(a -> failures.add(a.toString()));
    killed.stream().filter(k -> !k.consistent()).forEach(k -> failures.add(k.toString()));
    applied.stream().skip(1).filter(a -> a.seconds() > WANTED_SECONDS).forEach(a -> failures.add("more than 2 s: " + a));
    return failures;
  }

  private static String conclusions(List<Applied> applied, List<Killed> killed) {
    Markdown changes = Markdown.table("change | seconds until in use (wanted: 2) | requests meanwhile | of these failed");
    for (int i = 0; i < applied.size(); i++) {
      Applied a = applied.get(i);
      changes.row("%d | %.2f | %,d | %,d", i + 1, a.seconds(), a.requestsMeanwhile(), a.failedMeanwhile());
    }
    Markdown kills = Markdown.table("killed after | acknowledged | in use after the restart | consistent");
    for (Killed k : killed) {
      kills.row("%.2f s | %s | %s | %s", k.afterSeconds(), k.acknowledged() ? "yes" : "no", k.newRevisionInUse() ? "new" : "old", k.consistent() ? "yes" : "NO");
    }
    return changes.toString() + "\n" + kills;
  }
}
