package dev.gatehouse.perf;

import picocli.CommandLine.Option;

/** How many people a directory gets. */
final class PeopleOption {

  @Option(
      names = "--people",
      paramLabel = "N",
      defaultValue = "100000",
      description = "People in the directory, 1 to 4,000,000 (${DEFAULT-VALUE}).")
  int number;
}
