package dev.gatehouse.perf.harness;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of every benchmark under load. */
public final class Options extends ResultsOption {

  @Option(names = "--rounds", paramLabel = "N", description = "Number of rounds (${DEFAULT-VALUE}).")
  public int rounds;

  @Option(names = "--seconds", paramLabel = "N", description = "Seconds of an iteration (${DEFAULT-VALUE}).")
  public int seconds;

  @Option(
      names = "--against",
      paramLabel = "DIR",
      description = {
        "Another checkout of Gatehouse: each round runs this build and that one, and only NAME-against.md with the",
        "ratios is written. Peers are not measured."
      })
  public Optional<Path> against = Optional.empty();

  @Option(
      names = "--against-patch",
      paramLabel = "FILE",
      description = {
        "As --against, with a clone of this commit to which the patch is applied, for the cost of one thing: see",
        "perf/patches. Writes NAME-against-FILE.md."
      })
  public Optional<Path> againstPatch = Optional.empty();

  /** The default values of a benchmark. */
  public Options(int rounds, int seconds) {
    this.rounds = rounds;
    this.seconds = seconds;
  }
}
