package dev.gatehouse.perf.report;

import java.util.List;

/**
 * One round under load.
 *
 * @param scenario one of the benchmark's scenarios
 * @param number from 1; the first rounds are warm-up and stay in the report, because operators restart servers
 * @param seconds duration of the load
 * @param transactions complete transactions that succeeded: those of the last step
 * @param servers the processes under test, always in the same order
 */
public record Round(
    String scenario,
    int number,
    int seconds,
    long transactions,
    List<StepResult> steps,
    List<ServerCost> servers) {

  public double transactionsPerSecond() {
    return (double) transactions / seconds;
  }

  public long failures() {
    return steps.stream().mapToLong(StepResult::failed).sum();
  }
}
