package dev.gatehouse.common.directory;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gives every refusal the duration of a wrong password, so that the duration does not reveal whether a name exists or is locked.
 * A directory answers a bind to an unknown name without hashing anything, and only the directory knows what it does for a wrong
 * password (a slow hash, a counter on disk). We therefore remember how long the last wrong passwords took and delay quicker
 * refusals to one of those durations. Waiting costs a virtual thread nothing.
 */
final class RefusalDelay {

  private static final int REMEMBERED = 64;

  /** Shorter waits are less than the precision of a sleeping thread. */
  private static final Duration NOISE = Duration.ofNanos(100_000);

  private final ReentrantLock lock = new ReentrantLock();
  private final long[] nanos = new long[REMEMBERED];
  private final Duration most;
  private int count;
  private int nextRemembered;
  private int nextSpent;

  /** @param most the longest delay */
  RefusalDelay(Duration most) {
    this.most = most;
  }

  /**
   * Returns how long to wait before the refusal.
   *
   * @param took duration of search and bind, with a wrong password or against the decoy
   * @param ofEntry whether the name had an entry: then {@code took} is remembered, unless it is suspiciously short, as for a
   *     locked account
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
      // Uses each remembered duration once and in turn: these refusals then have the same distribution.
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

  /** Waits before the refusal of a login that began at {@code startNanos}, as long as {@link #settle} says. */
  void pause(long startNanos, boolean ofEntry) {
    Duration wait = settle(Duration.ofNanos(System.nanoTime() - startNanos), ofEntry);
    if (wait.isZero()) {
      return;
    }
    try {
      Thread.sleep(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long median() {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[count / 2];
  }
}
