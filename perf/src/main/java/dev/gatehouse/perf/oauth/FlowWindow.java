package dev.gatehouse.perf.oauth;

import java.util.List;

/**
 * Some seconds of one flow at one server.
 *
 * @param phase {@code warm-up} or {@code steady}
 * @param done complete flows
 * @param p50Ms of a complete flow as its caller measured it
 * @param costs by process, the server itself first
 */
record FlowWindow(
    String server, String flow, String phase, double seconds, long done, double p50Ms, double p99Ms, List<Cost> costs) {

  static final String WARM_UP = "warm-up";
  static final String STEADY = "steady";

  /** @param cpuSeconds user and system time */
  record Cost(String process, double cpuSeconds) {}

  double perSecond() {
    return done / seconds;
  }

  double ownCpuSeconds() {
    return costs.getFirst().cpuSeconds();
  }

  double allCpuSeconds() {
    return costs.stream().mapToDouble(Cost::cpuSeconds).sum();
  }

  double cpuSeconds(String process) {
    return costs.stream().filter(cost -> cost.process().equals(process)).mapToDouble(Cost::cpuSeconds).sum();
  }
}
