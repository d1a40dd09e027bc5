package dev.gatehouse.perf.gateway;

import java.util.List;

/**
 * Some seconds of one work at one server.
 *
 * @param work its word
 * @param phase {@code warm-up} or {@code steady}
 * @param done requests, or operations if a work consists of several requests
 * @param costs by process, the server itself first
 */
record WorkWindow(
    String server, String work, String phase, double seconds, long done, double p50Ms, double p99Ms, List<Cost> costs) {

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

  double perCpuSecond() {
    return done / ownCpuSeconds();
  }
}
