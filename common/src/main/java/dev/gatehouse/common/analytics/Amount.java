package dev.gatehouse.common.analytics;

import dev.gatehouse.common.metric.Histogram;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * What is known about a period: immutable, and the sum of two amounts is what is known about both periods. A duration has the counts of
 * the buckets of {@link Histogram}, so that percentiles of a year are as exact as those of a minute.
 */
public final class Amount {

  /** The number of buckets. */
  public static final int BUCKETS = Histogram.BOUNDS.size();

  public static final Amount NONE = new Amount(0, 0, 0, new long[0]);

  private static final Amount ONE = new Amount(1, 0, 0, new long[0]);

  private final long samples;
  private final double total;
  private final double peak;
  private final long[] buckets;

  private Amount(long samples, double total, double peak, long[] buckets) {
    this.samples = samples;
    this.total = total;
    this.peak = peak;
    this.buckets = buckets;
  }

  /** Returns an amount as it was stored. */
  public static Amount stored(long samples, double total, double peak, long[] buckets) {
    boolean hasNone = Arrays.stream(buckets).allMatch(count -> count == 0);
    return new Amount(samples, total, peak, hasNone ? new long[0] : buckets.clone());
  }

  /** Returns a count. */
  public static Amount count(long times) {
    return times == 1 ? ONE : new Amount(times, 0, 0, new long[0]);
  }

  /**
   * Returns durations.
   *
   * @param counts for each bucket of {@link Histogram}
   */
  public static Amount durations(long[] counts, double seconds) {
    return new Amount(Arrays.stream(counts).sum(), seconds, 0, counts.clone());
  }

  /** Returns one look at a level. */
  public static Amount level(double level) {
    return new Amount(1, level, level, new long[0]);
  }

  /** Returns a part of all. */
  public static Amount part(long part, long all) {
    return new Amount(all, part, 0, new long[0]);
  }

  public Amount plus(Amount other) {
    return new Amount(samples + other.samples, total + other.total, Math.max(peak, other.peak), sum(buckets, other.buckets));
  }

  private static long[] sum(long[] some, long[] others) {
    if (some.length == 0 || others.length == 0) {
      return some.length == 0 ? others : some;
    }
    long[] sum = some.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += others[i];
    }
    return sum;
  }

  /** Returns how often it happened, or how often a level was looked at. */
  public long samples() {
    return samples;
  }

  /** Returns the sum of seconds or levels, or the part of a ratio. */
  public double total() {
    return total;
  }

  /** Returns the highest level. */
  public double peak() {
    return peak;
  }

  /** Returns the counts of the buckets of durations. */
  public long[] buckets() {
    return buckets.length == 0 ? new long[BUCKETS] : buckets.clone();
  }

  /** Returns the mean, or of a ratio the part; nothing without samples. */
  public OptionalDouble mean() {
    return samples == 0 ? OptionalDouble.empty() : OptionalDouble.of(total / samples);
  }

  /**
   * Returns the duration that this share of all did not exceed: exact to the bucket, and within it as if all were spread evenly, as
   * Prometheus does. What took longer than the last bound counts as that bound.
   *
   * @param share from 0 to 1
   */
  public OptionalDouble quantile(double share) {
    long all = Arrays.stream(buckets).sum();
    if (all == 0) {
      return OptionalDouble.empty();
    }
    double rank = share * all;
    long below = 0;
    for (int i = 0; i < BUCKETS - 1; i++) {
      if (buckets[i] > 0 && below + buckets[i] >= rank) {
        double lower = i == 0 ? 0 : Histogram.BOUNDS.get(i - 1);
        return OptionalDouble.of(lower + (Histogram.BOUNDS.get(i) - lower) * Math.max(0, rank - below) / buckets[i]);
      }
      below += buckets[i];
    }
    return OptionalDouble.of(Histogram.BOUNDS.get(BUCKETS - 2));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Amount that
        && samples == that.samples
        && Double.compare(total, that.total) == 0
        && Double.compare(peak, that.peak) == 0
        && Arrays.equals(buckets, that.buckets);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(samples) * 31 + Arrays.hashCode(buckets);
  }

  @Override
  public String toString() {
    return "Amount[" + samples + ", " + total + ", " + peak + ", " + Arrays.toString(buckets) + "]";
  }
}
