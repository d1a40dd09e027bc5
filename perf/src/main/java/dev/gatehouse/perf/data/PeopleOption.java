package dev.gatehouse.perf.data;

import picocli.CommandLine.Option;

/** The number of people in a directory. */
public final class PeopleOption {

  @Option(names = "--people", paramLabel = "N", defaultValue = "100000",
      description = "People in the directory, 1 to 4,000,000 (${DEFAULT-VALUE}).")
  public int number;
}
