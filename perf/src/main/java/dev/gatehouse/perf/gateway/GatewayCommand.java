package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.report.Comparison;
import dev.gatehouse.perf.report.Machine;
import dev.gatehouse.perf.report.Report;
import dev.gatehouse.perf.server.Build;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench gateway}. */
@Command(
    name = "gateway",
    mixinStandardHelpOptions = true,
    description = {
      "Compare the access gateway with nginx: pages from the cache, protected pages, pass-through, TLS, new connections,",
      "AuthMark; and measure the rows of FIGURES S2 without nginx. Needs slapd, nginx, wrk and openssl. Takes 20 minutes with",
      "a million people."
    })
public final class GatewayCommand implements Callable<Integer> {

  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--work",
      paramLabel = "WORK",
      split = ",",
      description = "Run only these comparisons with nginx; default: all. An unknown name prints the list.")
  List<String> works = List.of();

  @Option(
      names = "--scenario",
      paramLabel = "SCENARIO",
      split = ",",
      description = "Run only these rows of FIGURES S2; default: all. An unknown name prints the list.")
  List<String> scenarios = List.of();

  @Option(names = "--without-scenarios", description = "Skip the rows of FIGURES S2.")
  boolean withoutScenarios;

  @Option(
      names = "--against",
      paramLabel = "DIR",
      description = "Measure another checkout of Gatehouse instead of nginx; only gateway-against.md is written.")
  Optional<Path> against = Optional.empty();

  @Option(names = "--connections", paramLabel = "N", defaultValue = "64", description = "Connections of wrk (${DEFAULT-VALUE}).")
  int connections;

  @Option(
      names = "--people",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "People in the directory (${DEFAULT-VALUE}; at most 4000000).")
  int people;

  @Option(
      names = "--active",
      paramLabel = "N",
      defaultValue = "20000",
      description = "How many of them use the extranet; their sessions exist after the warm-up (${DEFAULT-VALUE}).")
  int active;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description = "Warm-up of each comparison and each row (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "Number of turns (${DEFAULT-VALUE}).")
  int rounds;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "6", description = "Duration of a turn (${DEFAULT-VALUE}).")
  int seconds;

  @Option(
      names = "--open",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Connections to hold open for measuring their memory; 0: none (${DEFAULT-VALUE}).")
  int open;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = "perf/results",
      description = "Folder for gateway.json and gateway.md (${DEFAULT-VALUE}).")
  Path results = Path.of("perf/results");

  @Override
  public Integer call() throws IOException, InterruptedException {
    Instant start = Instant.now();
    List<Work> chosen = works.isEmpty() ? List.of(Work.values()) : works.stream().map(this::work).toList();
    GatewayBenchmark.Plan plan =
        new GatewayBenchmark.Plan(
            chosen,
            chosenScenarios(),
            connections,
            people,
            Math.min(active, people),
            warmUp,
            rounds,
            seconds,
            against.isPresent() ? 0 : open,
            against.isPresent() ? Optional.of(Build.other(against.get())) : Optional.empty());
    Path work = Files.createTempDirectory("gatehouse-bench-");
    try (GatewayBenchmark benchmark = new GatewayBenchmark(plan, work)) {
      GatewayBenchmark.Results seen = benchmark.run();
      String command = "./gatehouse bench " + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
      if (against.isPresent()) {
        Comparison comparison = new Comparison(Build.here().name());
        seen.windows().stream()
            .filter(window -> window.phase().equals(WorkWindow.STEADY))
            .forEach(window -> comparison.add(window.work(), window.server(), window.perCpuSecond()));
        System.out.println(comparison.write(results, "gateway-against", command));
        return seen.failures().isEmpty() ? 0 : 1;
      }
      GatewayReport report =
          new GatewayReport(command, Report.commitHere(), start, Machine.here(), settings(plan), seen);
      System.out.println(report.write(results));
      return seen.failures().isEmpty() ? 0 : 1;
    }
  }

  private List<Scenario> chosenScenarios() {
    if (withoutScenarios) {
      return List.of();
    }
    return scenarios.isEmpty() ? List.of(Scenario.values()) : scenarios.stream().map(this::scenario).toList();
  }

  private Scenario scenario(String word) {
    return Arrays.stream(Scenario.values())
        .filter(scenario -> scenario.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "no scenario " + word + "; there are " + Arrays.stream(Scenario.values()).map(Scenario::word).toList()));
  }

  private Work work(String word) {
    return Work.of(word)
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "no work " + word + "; there are " + Arrays.stream(Work.values()).map(Work::word).toList()));
  }

  private static Map<String, String> settings(GatewayBenchmark.Plan plan) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("Connections", Integer.toString(plan.connections()));
    settings.put("People in slapd", "%,d, %,d of them active".formatted(plan.people(), plan.active()));
    settings.put("Turns", plan.rounds() + " of " + plan.seconds() + " s");
    settings.put("Warm-up of each work", plan.warmUp() + " s");
    return settings;
  }
}
