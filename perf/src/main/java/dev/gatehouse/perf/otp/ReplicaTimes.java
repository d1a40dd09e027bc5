package dev.gatehouse.perf.otp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The seconds after which each of several replicas had each of many changes. */
final class ReplicaTimes {

  /** The replica at which 99 % of the changes took longest, from 0. */
  record Slowest(int replica, double p99) {}

  private final List<double[]> changes = new ArrayList<>();

  /** @param seconds of one change, by replica */
  void add(double[] seconds) {
    changes.add(seconds.clone());
  }

  /** Returns after how long that share of the changes was at every replica. */
  double everywhere(double share) {
    return at(changes.stream().mapToDouble(seconds -> Arrays.stream(seconds).max().orElseThrow()).sorted().toArray(), share);
  }

  /** Returns the replica with the longest times. */
  Slowest slowest() {
    Slowest slowest = new Slowest(0, -1);
    for (int replica : IntStream.range(0, changes.getFirst().length).toArray()) {
      double p99 = at(changes.stream().mapToDouble(seconds -> seconds[replica]).sorted().toArray(), 0.99);
      slowest = p99 > slowest.p99() ? new Slowest(replica, p99) : slowest;
    }
    return slowest;
  }

  private static double at(double[] sorted, double share) {
    return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
  }
}
