package dev.gatehouse.perf.sso;

import java.util.List;

/**
 * Some seconds of load on one server, or of bare signing.
 *
 * @param phase {@code warm-up}, from the start of its process on, or {@code steady}, alternating with the others
 * @param at its end, in seconds since the server's process was started
 * @param responses signed and sent; for the bare signature, signatures
 * @param costs by process, the server itself first
 */
record SsoWindow(String server, String phase, double at, double seconds, long responses, List<Cost> costs) {

  /** @param cpuSeconds user and system time */
  record Cost(String process, double cpuSeconds) {}

  double perSecond() {
    return responses / seconds;
  }

  double ownCpuSeconds() {
    return costs.getFirst().cpuSeconds();
  }

  double allCpuSeconds() {
    return costs.stream().mapToDouble(Cost::cpuSeconds).sum();
  }
}
