package dev.gatehouse.perf.harness;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a benchmark writes. */
public class ResultsOption {

  @Option(names = "--results", paramLabel = "DIR", defaultValue = "perf/results",
      description = "Folder for the results, in files named after the benchmark (${DEFAULT-VALUE}).")
  public Path results = Path.of("perf/results");
}
