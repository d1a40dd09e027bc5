package dev.gatehouse.perf;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./gatehouse bench}: the benchmarks. */
@Command(
    name = "gatehouse bench",
    mixinStandardHelpOptions = true,
    description = {
      "Run a benchmark. Servers run as processes of their own on this machine; results say how much CPU time each of",
      "them spent per transaction, so that the load generator's share of a small machine does not count."
    },
    subcommands = {DataCommand.class})
public final class Bench {

  private Bench() {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Bench()).execute(arguments));
  }
}
