package dev.gatehouse.common.faults;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts requests and remembers what failed, and when. */
final class Requests {

  private static final int MOST_WORDS = 120;

  private final AtomicLong answered = new AtomicLong();
  private final Map<String, Integer> failures = new LinkedHashMap<>();
  private long lastFailureNanos = System.nanoTime();
  private int failed;
  private int errors;

  void answered() {
    answered.incrementAndGet();
  }

  /** Counts a request without an answer. */
  synchronized void failed(URI url, String why) {
    failed++;
    lastFailureNanos = System.nanoTime();
    failures.merge(url.getPath() + ": " + why, 1, Integer::sum);
  }

  /** Counts an answer of 500 or more. */
  synchronized void failed(URI url, int status, String words) {
    failed(url, status + " " + words);
    errors += isError(status, words) ? 1 : 0;
  }

  /** Counts an error of a node that was asked past the balancer, so that 502 and 504 are its own: nobody's request failed. */
  synchronized void alone(String path, int status, String body) {
    if (status >= 500 && status != 503) {
      errors++;
      String words = body.substring(0, Math.min(MOST_WORDS, body.length())).replace('\n', ' ');
      failures.merge(path + " of one node: " + status + " " + words, 1, Integer::sum);
    }
  }

  /**
   * Returns whether an answer is none that a fault explains. 503 is honest; 502 and 504 are, if they are the balancer's, whose pages begin
   * with the number.
   */
  static boolean isError(int status, String words) {
    return switch (status) {
      case 503 -> false;
      case 502, 504 -> !words.startsWith(status + " ");
      default -> status >= 500;
    };
  }

  long answeredSoFar() {
    return answered.get();
  }

  synchronized int failedSoFar() {
    return failed;
  }

  synchronized int errorsSoFar() {
    return errors;
  }

  synchronized long lastFailureNanos() {
    return lastFailureNanos;
  }

  /** Returns what failed, with counts. */
  synchronized Map<String, Integer> failures() {
    return new LinkedHashMap<>(failures);
  }
}
