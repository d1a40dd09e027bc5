package dev.gatehouse.perf.saml;

import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Figures;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.DemoApp;
import dev.gatehouse.perf.server.Federation;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import dev.gatehouse.perf.simulation.GatlingLoad;
import dev.gatehouse.perf.simulation.Settings;
import io.gatling.javaapi.core.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** A benchmark of two federated nodes by Gatling: rounds from a cold start on, all of which are reported. */
abstract class FederationCommand extends BenchmarkCommand {

  @Option(names = "--users", paramLabel = "N", defaultValue = "100",
      description = "Concurrent virtual users without think time (${DEFAULT-VALUE}).")
  int users;

  @Option(names = "--key", paramLabel = "ALGORITHM", defaultValue = "rsa-2048",
      description = "rsa-2048, rsa-3072 or p-256 (${DEFAULT-VALUE}).")
  String key = "rsa-2048";

  @Option(names = "--uncounted", paramLabel = "N", defaultValue = "2",
      description = "With --against: number of first rounds that do not count (${DEFAULT-VALUE}).")
  int uncounted = 2;

  FederationCommand(Options options) {
    super(options);
  }

  /** Two federated nodes of a build, an app, and the directory of their people. */
  record Site(Federation federation, ServerProcess slapd, Build build, int people, Path work) {}

  /** Starts the servers and returns the rows. */
  abstract List<Load> rows(Run run, Build build) throws IOException, InterruptedException;

  /** Sentences that the reader needs to judge the figures. */
  abstract List<String> notes();

  @Override
  protected final void measure(Run run) throws IOException, InterruptedException {
    List<Load> rows = new ArrayList<>();
    for (Build build : builds()) {
      rows.addAll(rows(run, build));
    }
    run.measure(rows, options.rounds, isComparison() ? uncounted : 0, options.seconds);
  }

  /** Starts slapd with that many people, an app, and two federated nodes. */
  final Site start(Run run, Build build, int people, List<Federation.Setup> setups) throws IOException, InterruptedException {
    Path work = Files.createDirectories(folder(run, build).resolve("people-" + people));
    ServerProcess slapd = run.closeAtEnd(SlapdServer.start(work, people, setups.stream().anyMatch(Federation.Setup::memberOf)));
    DemoApp app = run.closeAtEnd(DemoApp.start());
    Federation federation =
        run.closeAtEnd(Federation.start(build, work, slapd.port(), people, app.url(), key, setups));
    return new Site(federation, slapd, build, people, work);
  }

  /** @param transaction the step whose successes count as transactions */
  final Load row(
      Site site, String realm, String row, Class<? extends Simulation> simulation, Map<String, String> more,
      String transaction) {
    Federation federation = site.federation();
    Map<String, String> settings = new HashMap<>(more);
    settings.put("idp", federation.idpUrl());
    settings.put("app", Objects.requireNonNull(federation.appUrls().get(realm)));
    settings.put("realm", realm);
    Server server = new Server(site.build().name(), List.of(federation.idp().process(), federation.sp().process(), site.slapd()));
    return new GatlingLoad(server, row, site.work(), simulation, Settings.of(users, site.people(), settings), transaction);
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Concurrent users", Integer.toString(users));
    settings.put("Signing key", key);
  }

  @Override
  protected String conclusions(List<Iteration> iterations) throws IOException {
    StringBuilder md = new StringBuilder();
    for (String row : new TreeSet<>(iterations.stream().map(Iteration::row).toList())) {
      append(md, row, Figures.of(iterations, iterations.getFirst().server(), row).rounds());
    }
    md.append("\n");
    notes().forEach(note -> md.append("- ").append(note).append("\n"));
    return md.toString();
  }

  private static void append(StringBuilder md, String row, List<Iteration> rounds) {
    Markdown table =
        Markdown.table("round | TPS | failed | CPU ms/tx idp | sp | slapd | MB idp | sp | slapd");
    for (Iteration round : rounds) {
      List<Iteration.Cost> costs = round.costs();
      double[] cpu = costs.stream().mapToDouble(cost -> 1000 * cost.cpuSeconds() / Math.max(1, round.operations())).toArray();
      table.row(
          "%d | %.1f | %d | %.2f | %.2f | %.2f | %d | %d | %d",
          1 + rounds.indexOf(round), round.perSecond(), round.failures(), cpu[0], cpu[1], cpu[2], costs.get(0).residentMb(),
          costs.get(1).residentMb(), costs.get(2).residentMb());
    }
    Markdown steps = Markdown.table("step | mean ms | p50 | p95 | p99");
    rounds.getLast().steps().forEach(
        step -> steps.row("%s | %.1f | %.1f | %.1f | %.1f", step.name(), step.meanMs(), step.p50Ms(), step.p95Ms(), step.p99Ms()));
    md.append("\n## ").append(row).append("\n").append(table).append("\nThe last round, by step:\n").append(steps);
  }
}
