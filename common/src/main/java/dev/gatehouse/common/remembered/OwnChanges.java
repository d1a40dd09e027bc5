package dev.gatehouse.common.remembered;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts changes of rows that no other process changes. What was read while none was under way is still so as long as none has begun since:
 * a change begins before its statement, and ends after its commit.
 *
 * <p>A change that says whom it is about, by a key, is one for everybody with that key alone, and for the few who share a counter with it.
 * One that does not say so is a change for all.
 */
public final class OwnChanges {

  /** A wrong passcode of one of a million people is a change for thirty. */
  private static final int COUNTERS = 1 << 15;

  /**
   * Changes so far.
   *
   * @param all that did not say whom they are about
   * @param some that share a counter
   */
  public record Count(long all, long some) {}

  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private final AtomicLongArray begunOfSome = new AtomicLongArray(COUNTERS);
  private final AtomicLongArray endedOfSome = new AtomicLongArray(COUNTERS);

  private static int counter(String key) {
    int hash = key.hashCode();
    return (hash ^ hash >>> 16) & COUNTERS - 1;
  }

  /** Returns the number of changes for a key so far, to be taken before rows are read; empty while one is under way. */
  public Optional<Count> quiet(String key) {
    int counter = counter(key);
    // In this order: those that had ended by then are all that have begun.
    long endedOfAll = ended.get();
    long all = begun.get();
    long endedOfKey = endedOfSome.get(counter);
    long some = begunOfSome.get(counter);
    return endedOfAll == all && endedOfKey == some ? Optional.of(new Count(all, some)) : Optional.empty();
  }

  /** Returns whether none has begun for the key since this number was taken. */
  public boolean isQuietSince(String key, Count count) {
    return begun.get() == count.all() && begunOfSome.get(counter(key)) == count.some();
  }

  /** Begins a change for all. */
  public void begin() {
    begun.incrementAndGet();
  }

  public void end() {
    ended.incrementAndGet();
  }

  /** Begins a change that is about nobody but who has the key. */
  public void begin(String key) {
    begunOfSome.incrementAndGet(counter(key));
  }

  public void end(String key) {
    endedOfSome.incrementAndGet(counter(key));
  }
}
