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
      "Measure signed Responses for logged-in users: our identity provider with RSA-2048 and with P-256, and Keycloak, each",
      "warmed up alone from the start of its process until its curve is flat, then in turns with each other and with the",
      "signature alone. Needs slapd and, for Keycloak, PostgreSQL; downloads Keycloak from Maven Central once. Takes 16",
      "minutes."
    })
public final class SsoCommand implements Callable<Integer> {

  @Spec CommandSpec spec = CommandSpec.create();

  @Option(names = "--browsers", paramLabel = "N", defaultValue = "16", description = "Number of logged-in browsers (${DEFAULT-VALUE}).")
  int browsers;

  @Option(
      names = "--key",
      paramLabel = "ALGORITHM",
      split = ",",
      defaultValue = "rsa-2048,p-256",
      description = "Keys of our identity provider (${DEFAULT-VALUE}).")
  List<String> keys = List.of();

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "180",
      description = "Maximum warm-up of ours; it ends when the curve is flat (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(
      names = "--peer-warm-up",
      paramLabel = "SECONDS",
      defaultValue = "420",
      description = "Maximum warm-up of Keycloak; 0: do not measure Keycloak (${DEFAULT-VALUE}).")
  int peerWarmUp;

  @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "Number of turns after the warm-up (${DEFAULT-VALUE}).")
  int rounds;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "10", description = "Duration of a turn (${DEFAULT-VALUE}).")
  int seconds;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = "perf/results",
      description = "Folder for sso.json, sso.md and sso.svg (${DEFAULT-VALUE}).")
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
