package dev.gatehouse.perf.harness;

import java.util.List;

/**
 * Some seconds of load on one server.
 *
 * @param row the row of the report, for example a flow
 * @param at the end, in seconds since the server's process was started
 * @param operations completed: requests, flows or transactions
 * @param steps of an operation; at least one
 * @param costs by process, the server itself first
 * @param paced whether each operation had a moment at which it was due, from which its time counts, see {@link PacedLoad}. Operations
 *     that nobody began in time are failed then.
 */
public record Iteration(
    String server,
    String row,
    Phase phase,
    double at,
    double seconds,
    long operations,
    List<Step> steps,
    List<Cost> costs,
    boolean paced) {

  /** JMH's two kinds of iterations. */
  public enum Phase {
    WARM_UP,
    MEASUREMENT
  }

  /**
   * One measured step. Times are of the successful ones, including redirects within the step.
   *
   * @param ok answered as the scenario expects
   * @param failed all others
   * @param p95Ms 0 if it is not known: wrk does not report it
   * @param p999Ms the time within which 99.9 % were answered; 0 if it is not known, as with wrk
   */
  public record Step(
      String name, long ok, long failed, double meanMs, double p50Ms, double p95Ms, double p99Ms, double p999Ms) {

    /**
     * The 99th percentile in means. In a closed loop the mean is what each caller would wait if all were served in turn: callers divided
     * by the rate. Some callers starve where this is high.
     */
    public double tail() {
      return meanMs > 0 ? p99Ms / meanMs : 0;
    }
  }

  /**
   * The cost of an iteration for one process.
   *
   * @param cpuSeconds user and system time
   * @param residentMb at the end
   */
  public record Cost(String process, double cpuSeconds, long residentMb) {}

  public boolean isMeasured() {
    return phase == Phase.MEASUREMENT;
  }

  public double perSecond() {
    return operations / seconds;
  }

  public double ownCpuSeconds() {
    return costs.getFirst().cpuSeconds();
  }

  public double allCpuSeconds() {
    return costs.stream().mapToDouble(Cost::cpuSeconds).sum();
  }

  public double cpuSeconds(String process) {
    return costs.stream().filter(cost -> cost.process().equals(process)).mapToDouble(Cost::cpuSeconds).sum();
  }

  public double perCpuSecond() {
    return operations / ownCpuSeconds();
  }

  public long failures() {
    return steps.stream().mapToLong(Step::failed).sum();
  }
}
