package dev.gatehouse.gateway.netty.http2;

import java.time.Duration;

/**
 * Limits the frames of a costly or useless kind that a client may send: a burst, and a rate per second. Times are as of
 * {@link System#nanoTime()}.
 */
final class FrameBudget {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final int most;
  private final long nanosPerFrame;
  private int left;
  private long since;

  FrameBudget(int most, int perSecond, long now) {
    this.most = most;
    this.nanosPerFrame = SECOND / perSecond;
    this.left = most;
    this.since = now;
  }

  /** Takes one frame from the budget; returns false if none is left. */
  boolean spend(long now) {
    if (left == 0) {
      long earned = (now - since) / nanosPerFrame;
      if (earned == 0) {
        return false;
      }
      since = now;
      earn((int) Math.min(earned, most));
    } else if (left == most) {
      since = now;
    }
    left--;
    return true;
  }

  /** Adds frames that useful work makes up for. */
  void earn(int frames) {
    left = Math.min(most, left + frames);
  }
}
