package dev.gatehouse.gateway.netty;

import java.time.Duration;

/**
 * A deadline that arriving bytes push on: who sends nothing runs out of it, and so does who sends a byte now and then to
 * keep a connection and an app's worker busy. Times are as of {@link System#nanoTime()}.
 */
final class BodyPace {

  /** Bytes a second that are always enough. */
  private static final long SLOWEST = 500;

  private static final long NANOS_PER_BYTE = Duration.ofSeconds(1).toNanos() / SLOWEST;

  private final long patience;
  private long deadline;

  /** @param patience how long nothing may come */
  BodyPace(Duration patience) {
    this.patience = patience.toNanos();
  }

  /** The whole patience begins anew: at the start, and after a pause that was not the sender's. */
  void restart(long now) {
    deadline = now + patience;
  }

  void arrived(int bytes, long now) {
    long earned = deadline - now + bytes * NANOS_PER_BYTE;
    deadline = now + Math.min(earned, patience);
  }

  boolean isOver(long now) {
    return now - deadline > 0;
  }
}
