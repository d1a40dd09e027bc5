package dev.gatehouse.common.directory;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gives every refusal the time that a wrong password takes, so that the time does not tell whether a name exists or is
 * locked. A directory answers a bind to an unknown name without hashing anything, and what it does for a wrong password
 * (a slow hash, a counter on disk) only the directory knows; so we remember how long the last wrong passwords took and let
 * the quicker refusals wait for one of those times. Waiting costs a virtual thread nothing.
 */
final class RefusalPace {

  private static final int REMEMBERED = 64;

  /** Shorter waits are below what a sleeping thread can keep. */
  private static final Duration NOISE = Duration.ofNanos(100_000);

  private final ReentrantLock lock = new ReentrantLock();
  private final long[] nanos = new long[REMEMBERED];
  private final Duration most;
  private int count;
  private int nextRemembered;
  private int nextSpent;

  /** @param most never wait longer */
  RefusalPace(Duration most) {
    this.most = most;
  }

  /**
   * How long to wait before saying no.
   *
   * @param took search and bind, wrong or against the decoy
   * @param ofEntry whether the name had an entry: then {@code took} is remembered, unless it was suspiciously quick, as for
   *     a locked account
   */
  Duration settle(Duration took, boolean ofEntry) {
    lock.lock();
    try {
      boolean usual = count == 0 || took.toNanos() * 2 >= median();
      if (ofEntry && usual) {
        nanos[nextRemembered] = took.toNanos();
        nextRemembered = (nextRemembered + 1) % REMEMBERED;
        count = Math.min(count + 1, REMEMBERED);
        return Duration.ZERO;
      }
      if (count == 0) {
        return Duration.ZERO;
      }
      // Each time once and in turn: the times of these refusals spread as the remembered ones do.
      nextSpent = (nextSpent + 1) % count;
      Duration missing = Duration.ofNanos(nanos[nextSpent]).minus(took);
      if (missing.compareTo(NOISE) < 0) {
        return Duration.ZERO;
      }
      return missing.compareTo(most) < 0 ? missing : most;
    } finally {
      lock.unlock();
    }
  }

  private long median() {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[count / 2];
  }
}
