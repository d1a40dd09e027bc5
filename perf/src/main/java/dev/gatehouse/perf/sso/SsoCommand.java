package dev.gatehouse.perf.sso;

import dev.gatehouse.perf.report.Machine;
import dev.gatehouse.perf.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench sso}. */
@Command(
    name = "sso",
    mixinStandardHelpOptions = true,
    description = {
      "Signed Responses for somebody who is logged in: our idp with RSA-2048 and with P-256, and Keycloak, each warmed up",
      "alone from the start of its process until its curve is flat, then in turns with each other and with the bare",
      "signature. Needs slapd and, for Keycloak, PostgreSQL; fetches Keycloak from Maven Central once. Takes 16 minutes."
    })
public final class SsoCommand implements Callable<Integer> {

  @Spec CommandSpec spec = CommandSpec.create();

  @Option(names = "--browsers", paramLabel = "N", defaultValue = "16", description = "Logged in at once (${DEFAULT-VALUE}).")
  int browsers;

  @Option(
      names = "--key",
      paramLabel = "ALGORITHM",
      split = ",",
      defaultValue = "rsa-2048,p-256",
      description = "Our keys (${DEFAULT-VALUE}).")
  List<String> keys = List.of();

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "180",
      description = "Of ours at most; it ends when a minute costs what the one before did (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(
      names = "--peer-warm-up",
      paramLabel = "SECONDS",
      defaultValue = "420",
      description = "Of Keycloak at most, likewise; 0: without Keycloak (${DEFAULT-VALUE}).")
  int peerWarmUp;

  @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "Turns, once warm (${DEFAULT-VALUE}).")
  int rounds;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "10", description = "Seconds of a turn (${DEFAULT-VALUE}).")
  int seconds;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = "perf/results",
      description = "Where sso.json, sso.md and sso.svg go (${DEFAULT-VALUE}).")
  Path results = Path.of("perf/results");

  @Override
  public Integer call() throws IOException, InterruptedException, GeneralSecurityException {
    Instant start = Instant.now();
    Path work = Files.createTempDirectory("gatehouse-bench-");
    SsoBenchmark.Plan plan = new SsoBenchmark.Plan(browsers, keys, warmUp, peerWarmUp, rounds, seconds);
    try (SsoBenchmark benchmark = new SsoBenchmark(plan, work)) {
      List<SsoWindow> windows = benchmark.run();
      String command = "./gatehouse bench " + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
      SsoReport report = new SsoReport(command, Report.commitHere(), start, Machine.here(), settings(), windows);
      System.out.println(report.write(results));
    }
    return 0;
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("Browsers", Integer.toString(browsers));
    settings.put("Turns", rounds + " of " + seconds + " s");
    return settings;
  }
}
