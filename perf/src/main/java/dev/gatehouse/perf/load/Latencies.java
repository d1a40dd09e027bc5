package dev.gatehouse.perf.load;

import java.util.Arrays;
import java.util.List;

/** The latencies of one caller's operations. */
public final class Latencies {

  private int[] micros = new int[1024];
  private int size;

  public void add(long nanos) {
    if (size == micros.length) {
      micros = Arrays.copyOf(micros, 2 * size);
    }
    micros[size++] = (int) Math.min(Integer.MAX_VALUE, nanos / 1000);
  }

  /** The latencies of several callers, sorted. */
  public static int[] sorted(List<Latencies> callers) {
    int[] all = new int[callers.stream().mapToInt(each -> each.size).sum()];
    int at = 0;
    for (Latencies each : callers) {
      System.arraycopy(each.micros, 0, all, at, each.size);
      at += each.size;
    }
    Arrays.sort(all);
    return all;
  }

  /**
   * A percentile in milliseconds.
   *
   * @param share of the operations that took no longer
   */
  public static double percentile(int[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))] / 1000.0;
  }
}
