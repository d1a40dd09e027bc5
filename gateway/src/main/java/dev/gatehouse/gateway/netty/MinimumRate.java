package dev.gatehouse.gateway.netty;

import java.time.Duration;

/**
 * A deadline that arriving bytes push on: who sends nothing runs out of it, and so does who sends a byte now and then to
 * keep a connection and an app's worker busy. Times are as of {@link System#nanoTime()}.
 */
final class MinimumRate {

  private final long patience;
  private final long nanosPerByte;
  private long deadline;

  /**
   * @param patience how long nothing may come
   * @param minRate bytes a second that are always enough
   */
  MinimumRate(Duration patience, int minRate) {
    this.patience = patience.toNanos();
    this.nanosPerByte = Duration.ofSeconds(1).toNanos() / minRate;
  }

  /** With the same bounds. */
  MinimumRate(MinimumRate like) {
    this.patience = like.patience;
    this.nanosPerByte = like.nanosPerByte;
  }

  /** The whole patience begins anew: at the start, and after a pause that was not the sender's. */
  void restart(long now) {
    deadline = now + patience;
  }

  void arrived(int bytes, long now) {
    long earned = deadline - now + bytes * nanosPerByte;
    deadline = now + Math.min(earned, patience);
  }

  boolean isOver(long now) {
    return now - deadline > 0;
  }
}
