package dev.gatehouse.perf;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The common options of all benchmarks under load. */
final class LoadOptions {

  @Option(
      names = "--users",
      paramLabel = "N",
      defaultValue = "100",
      description = "Concurrent virtual users without think time (${DEFAULT-VALUE}).")
  int users;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds of load for each scenario; the curve shows the warm-up (${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds of a round (${DEFAULT-VALUE}).")
  int seconds;

  @Option(
      names = "--key",
      paramLabel = "ALGORITHM",
      defaultValue = "rsa-2048",
      description = "rsa-2048, rsa-3072 or p-256 (${DEFAULT-VALUE}).")
  String key = "rsa-2048";

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = "perf/results",
      description = "Folder for the JSON and Markdown files (${DEFAULT-VALUE}).")
  Path results = Path.of("perf/results");

  @Option(
      names = "--against",
      paramLabel = "DIR",
      description = {
        "Another checkout of Gatehouse: after each round of this build there is one of that build, and only",
        "NAME-against.md with the ratios is written."
      })
  Optional<Path> against = Optional.empty();

  @Option(
      names = "--uncounted",
      paramLabel = "N",
      defaultValue = "2",
      description = "With --against: number of first rounds that do not count (${DEFAULT-VALUE}).")
  int uncounted = 2;

  /** The default values of a command. */
  LoadOptions(int rounds, int seconds) {
    this.rounds = rounds;
    this.seconds = seconds;
  }

  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("Concurrent users", Integer.toString(users));
    settings.put("Seconds a round", Integer.toString(seconds));
    settings.put("Signing key", key);
    return settings;
  }
}
