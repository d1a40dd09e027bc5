package dev.gatehouse.gateway.netty.loop;

import java.time.Duration;

/**
 * A deadline that arriving bytes extend. It passes for a sender that sends nothing, and for one that sends a byte now
 * and then to keep a connection and an app's worker busy. Times are as of {@link System#nanoTime()}.
 */
public final class MinimumRate {

  private final long longestSilence;
  private final long nanosPerByte;
  private long deadline;

  /**
   * @param longestSilence how long no byte may arrive
   * @param minRate bytes per second that always keep the deadline from passing
   */
  public MinimumRate(Duration longestSilence, int minRate) {
    this.longestSilence = longestSilence.toNanos();
    this.nanosPerByte = Duration.ofSeconds(1).toNanos() / minRate;
  }

  /** A new deadline with the same limits. */
  public MinimumRate(MinimumRate like) {
    this.longestSilence = like.longestSilence;
    this.nanosPerByte = like.nanosPerByte;
  }

  /** Restarts the deadline: at the start, and after a pause that the sender did not cause. */
  public void restart(long now) {
    deadline = now + longestSilence;
  }

  public void arrived(int bytes, long now) {
    long earned = deadline - now + bytes * nanosPerByte;
    deadline = now + Math.min(earned, longestSilence);
  }

  public boolean isOver(long now) {
    return now - deadline > 0;
  }
}
