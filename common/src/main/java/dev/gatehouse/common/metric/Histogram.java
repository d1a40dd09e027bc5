package dev.gatehouse.common.metric;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts durations in fixed buckets. Recording does not allocate or lock. */
public final class Histogram {

  /** Bounds in seconds: Prometheus' usual ones, and shorter ones for what is answered from memory. */
  public static final List<Double> BOUNDS =
      List.of(
          0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
          Double.POSITIVE_INFINITY);

  private static final long[] NANOS = BOUNDS.stream().limit(BOUNDS.size() - 1).mapToLong(s -> Math.round(s * 1e9)).toArray();

  private final LongAdder[] buckets = new LongAdder[BOUNDS.size()];
  private final LongAdder sum = new LongAdder();

  public Histogram() {
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  /** Counts a duration; one below 0, of a clock that went back, as 0. */
  public void record(long nanos) {
    long counted = Math.max(0, nanos);
    buckets[bucket(counted)].increment();
    sum.add(counted);
  }

  /** The index of the first bound that is not below the duration. */
  private static int bucket(long nanos) {
    int low = 0;
    int high = NANOS.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (nanos <= NANOS[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The number of durations in each bucket, without those of smaller buckets. */
  public long[] counts() {
    long[] counts = new long[buckets.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = buckets[i].sum();
    }
    return counts;
  }

  /** The sum of all durations. */
  public double seconds() {
    return sum.sum() / 1e9;
  }
}
