package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.report.Comparison;
import dev.gatehouse.perf.report.Machine;
import dev.gatehouse.perf.report.Report;
import dev.gatehouse.perf.server.Build;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
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

/** {@code bench oauth}. */
@Command(
    name = "oauth",
    mixinStandardHelpOptions = true,
    description = {
      "Measure every flow of OAuth 2.0 and OpenID Connect at our identity provider and at Keycloak, each warmed up alone,",
      "then in turns with each other, with the signature alone and with the directory alone; and the memory of refresh",
      "tokens. Needs slapd and, for Keycloak, PostgreSQL; downloads Keycloak from Maven Central once. Takes 30 minutes,",
      "8 with --short."
    })
public final class OAuthCommand implements Callable<Integer> {

  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--flow",
      paramLabel = "FLOW",
      split = ",",
      description = "Run only these flows; default: all. An unknown name prints the list.")
  List<String> flows = List.of();

  @Option(names = "--callers", paramLabel = "N", defaultValue = "16", description = "Concurrent callers (${DEFAULT-VALUE}).")
  int callers;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description = "Warm-up of each flow of ours (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(
      names = "--peer-warm-up",
      paramLabel = "SECONDS",
      defaultValue = "40",
      description = "Warm-up of each flow of Keycloak (${DEFAULT-VALUE}).")
  int peerWarmUp;

  @Option(names = "--without-keycloak", description = "Measure only our identity provider.")
  boolean withoutKeycloak;

  @Option(
      names = "--against",
      paramLabel = "DIR",
      description = "Measure another checkout of Gatehouse instead of Keycloak; only oauth-against.md is written.")
  Optional<Path> against = Optional.empty();

  @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "Number of turns (${DEFAULT-VALUE}).")
  int rounds;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "8", description = "Duration of a turn (${DEFAULT-VALUE}).")
  int seconds;

  @Option(
      names = "--tokens",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Refresh tokens to issue for measuring their memory; 0: none (${DEFAULT-VALUE}).")
  int tokens;

  @Option(names = "--short", description = "One turn of 4 s after a warm-up of 6 s (Keycloak: 12 s); 20,000 tokens.")
  boolean isShort;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = "perf/results",
      description = "Folder for oauth.json, oauth.md and oauth.svg (${DEFAULT-VALUE}).")
  Path results = Path.of("perf/results");

  @Override
  public Integer call() throws IOException, InterruptedException, GeneralSecurityException {
    Instant start = Instant.now();
    OAuthBenchmark.Plan plan = plan();
    Path work = Files.createTempDirectory("gatehouse-bench-");
    try (OAuthBenchmark benchmark = new OAuthBenchmark(plan, work)) {
      OAuthBenchmark.Results seen = benchmark.run();
      if (against.isPresent()) {
        System.out.println(comparison(seen));
        return seen.failures().isEmpty() ? 0 : 1;
      }
      OAuthReport report =
          new OAuthReport(command(), Report.commitHere(), start, Machine.here(), settings(plan), seen);
      System.out.println(report.write(results));
      return seen.failures().isEmpty() ? 0 : 1;
    }
  }

  private String comparison(OAuthBenchmark.Results seen) throws IOException, InterruptedException {
    Comparison comparison = new Comparison(Build.here().name());
    seen.windows().stream()
        .filter(window -> window.phase().equals(FlowWindow.STEADY))
        .forEach(window -> comparison.add(window.flow(), window.server(), window.done() / window.ownCpuSeconds()));
    return comparison.write(results, "oauth-against", command());
  }

  private String command() {
    return "./gatehouse bench " + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
  }

  private OAuthBenchmark.Plan plan() throws IOException {
    List<Flow> chosen = flows.isEmpty() ? List.of(Flow.values()) : flows.stream().map(this::flow).toList();
    int peer = withoutKeycloak || against.isPresent() ? 0 : isShort ? 12 : peerWarmUp;
    if (against.isPresent()) {
      Optional<Build> other = Optional.of(Build.other(against.get()));
      return new OAuthBenchmark.Plan(chosen, callers, warmUp, peer, rounds, seconds, 0, other);
    }
    return isShort
        ? new OAuthBenchmark.Plan(chosen, callers, 6, peer, 1, 4, Math.min(tokens, 20_000), Optional.empty())
        : new OAuthBenchmark.Plan(chosen, callers, warmUp, peer, rounds, seconds, tokens, Optional.empty());
  }

  private Flow flow(String word) {
    return Arrays.stream(Flow.values())
        .filter(flow -> flow.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "no flow " + word + "; there are " + Arrays.stream(Flow.values()).map(Flow::word).toList()));
  }

  private static Map<String, String> settings(OAuthBenchmark.Plan plan) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("Callers", Integer.toString(plan.callers()));
    settings.put("Turns", plan.rounds() + " of " + plan.seconds() + " s");
    settings.put("Warm-up of each flow", plan.warmUp() + " s, Keycloak's " + plan.peerWarmUp() + " s");
    return settings;
  }
}
