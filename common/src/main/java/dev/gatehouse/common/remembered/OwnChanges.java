package dev.gatehouse.common.remembered;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts changes of rows that no other process changes. What was read while none was under way is still so as long as none has begun since:
 * a change begins before its statement, and ends after its commit.
 */
public final class OwnChanges {

  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  /** Returns the number of changes so far, to be taken before rows are read; empty while one is under way. */
  public OptionalLong quiet() {
    // In this order: those that had ended by then are all that have begun.
    long before = ended.get();
    long now = begun.get();
    return before == now ? OptionalLong.of(now) : OptionalLong.empty();
  }

  /** Returns whether none has begun since this number was taken. */
  public boolean isQuietSince(long number) {
    return begun.get() == number;
  }

  public void begin() {
    begun.incrementAndGet();
  }

  public void end() {
    ended.incrementAndGet();
  }
}
