package dev.gatehouse.perf.harness;

import java.util.Arrays;
import java.util.List;

/** The latencies of operations, in microseconds. For one thread at a time. */
public final class Latencies {

  private int[] micros = new int[1024];
  private int size;

  public void add(long nanos) {
    if (size == micros.length) {
      micros = Arrays.copyOf(micros, 2 * size);
    }
    micros[size++] = (int) Math.min(Integer.MAX_VALUE, nanos / 1000);
  }

  /**
   * The summary of the latencies of several users.
   *
   * @param ok successful operations
   */
  public static Iteration.Step step(String name, List<Latencies> users, long ok, long failed) {
    int[] all = users.stream().flatMapToInt(each -> Arrays.stream(each.micros, 0, each.size)).sorted().toArray();
    double mean = Arrays.stream(all).average().orElse(0) / 1000;
    return new Iteration.Step(
        name, ok, failed, mean, percentile(all, 0.5), percentile(all, 0.95), percentile(all, 0.99), percentile(all, 0.999));
  }

  public Iteration.Step step(String name, long failed) {
    return step(name, List.of(this), size, failed);
  }

  private static double percentile(int[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))] / 1000.0;
  }
}
