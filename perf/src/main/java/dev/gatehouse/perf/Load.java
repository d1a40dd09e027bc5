package dev.gatehouse.perf;

import dev.gatehouse.perf.gatling.LoadRun;
import dev.gatehouse.perf.report.Round;
import dev.gatehouse.perf.report.ServerCost;
import dev.gatehouse.perf.report.StepResult;
import dev.gatehouse.perf.server.Federation;
import dev.gatehouse.perf.server.ServerProcess;
import io.gatling.javaapi.core.Simulation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs rounds of load. Scenarios alternate round by round, so that disturbances of the machine affect all of them
 * alike.
 */
final class Load {

  /** The servers that a scenario uses, and the number of people in their directory. */
  record Target(Federation federation, Federation.Site site, ServerProcess slapd, int people) {
    List<ServerProcess> servers() {
      return List.of(federation.idp(), federation.sp(), slapd);
    }
  }

  /**
   * One scenario.
   *
   * @param settings of the simulation, in addition to the common ones
   * @param lastStep the step whose successes count as transactions
   */
  record Scenario(
      String name,
      Class<? extends Simulation> simulation,
      Map<String, String> settings,
      String lastStep,
      Target target) {}

  private final LoadOptions options;
  private final Path work;

  Load(LoadOptions options, Path work) {
    this.options = options;
    this.work = work;
  }

  List<Round> run(List<Scenario> scenarios) throws IOException, InterruptedException {
    List<Round> rounds = new ArrayList<>();
    for (int number = 1; number <= options.rounds; number++) {
      for (Scenario scenario : scenarios) {
        rounds.add(round(scenario, number));
      }
    }
    return rounds;
  }

  /** Runs one round and returns its results. */
  Round round(Scenario scenario, int number) throws IOException, InterruptedException {
    List<ServerProcess> servers = scenario.target().servers();
    double[] before = cpu(servers);
    Path folder = work.resolve(scenario.name().replaceAll("\\W+", "-") + "-" + number);
    List<StepResult> steps = LoadRun.run(scenario.simulation(), settings(scenario), folder);
    double[] after = cpu(servers);
    long transactions =
        steps.stream().filter(step -> step.name().equals(scenario.lastStep())).mapToLong(StepResult::ok).sum();
    List<ServerCost> costs = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      ServerProcess server = servers.get(i);
      double milliseconds = (after[i] - before[i]) * 1000 / Math.max(1, transactions);
      costs.add(new ServerCost(server.name(), milliseconds, server.residentBytes() >> 20));
    }
    Round round = new Round(scenario.name(), number, options.seconds, transactions, steps, List.copyOf(costs));
    System.err.printf(
        "%s, round %d of %d: %.1f TPS, %d failed%n",
        scenario.name(), number, options.rounds, round.transactionsPerSecond(), round.failures());
    return round;
  }

  private static double[] cpu(List<ServerProcess> servers) throws IOException {
    double[] seconds = new double[servers.size()];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = servers.get(i).cpuSeconds();
    }
    return seconds;
  }

  private Map<String, String> settings(Scenario scenario) {
    Target target = scenario.target();
    Map<String, String> settings = new HashMap<>(scenario.settings());
    settings.put("bench.idp", target.federation().idpUrl());
    settings.put("bench.app", target.site().appUrl());
    settings.put("bench.realm", target.site().realm());
    settings.put("bench.users", Integer.toString(options.users));
    settings.put("bench.seconds", Integer.toString(options.seconds));
    settings.put("bench.people", Integer.toString(target.people()));
    return settings;
  }
}
