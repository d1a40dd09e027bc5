package dev.gatehouse.common.faults;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The longest time in which something was asked for in vain: from the first attempt after a success until the next success, or until now.
 * Time in which nobody asks does not count.
 */
final class Gap {

  private final String name;
  private final LongSupplier nanos;
  private boolean isAsked;
  private boolean hasSucceeded;
  private long askedNanos;
  private long successNanos;
  private long longestNanos;

  Gap(String name, LongSupplier nanos) {
    this.name = name;
    this.nanos = nanos;
  }

  String name() {
    return name;
  }

  /** Begins an attempt. */
  synchronized void begin() {
    if (!isAsked) {
      isAsked = true;
      askedNanos = nanos.getAsLong();
    }
  }

  /** Ends an attempt that succeeded. One that fails leaves the gap open. */
  synchronized void success() {
    longestNanos = longest().toNanos();
    isAsked = false;
    hasSucceeded = true;
    successNanos = nanos.getAsLong();
  }

  /** Returns the longest gap; one that no success has closed counts until now. */
  synchronized Duration longest() {
    return Duration.ofNanos(Math.max(longestNanos, isAsked ? nanos.getAsLong() - askedNanos : 0));
  }

  /** Returns whether there was a success at that time or later. */
  synchronized boolean hasSucceededSince(long then) {
    return hasSucceeded && successNanos - then >= 0;
  }

  /** Forgets what was before. */
  synchronized void reset() {
    longestNanos = 0;
    askedNanos = nanos.getAsLong();
  }
}
