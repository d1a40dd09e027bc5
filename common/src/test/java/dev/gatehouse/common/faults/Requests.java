package dev.gatehouse.common.faults;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts requests and remembers what failed, and when. */
final class Requests {

  private final AtomicLong answered = new AtomicLong();
  private final Map<String, Integer> failures = new LinkedHashMap<>();
  private long lastFailureNanos = System.nanoTime();
  private int failed;

  void answered() {
    answered.incrementAndGet();
  }

  synchronized void failed(URI url, String why) {
    failed++;
    lastFailureNanos = System.nanoTime();
    failures.merge(url.getPath() + ": " + why, 1, Integer::sum);
  }

  long answeredSoFar() {
    return answered.get();
  }

  synchronized int failedSoFar() {
    return failed;
  }

  synchronized long lastFailureNanos() {
    return lastFailureNanos;
  }

  /** Returns what failed, with counts. */
  synchronized Map<String, Integer> failures() {
    return new LinkedHashMap<>(failures);
  }
}
