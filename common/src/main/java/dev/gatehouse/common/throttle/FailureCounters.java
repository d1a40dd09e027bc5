package dev.gatehouse.common.throttle;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * Permits that were taken, by key, each counted for the length of a window. Bounded, and every operation is atomic.
 *
 * <p><b>Why it cannot be made to forget.</b> When the table is full, the key with the fewest permits goes, among equals the
 * one that rested longest. So an account with k failures is forgotten only when {@code capacity} other keys have at least k
 * failures each within the window: whoever wants k more guesses at one account must first spend {@code capacity * k}
 * admitted guesses on others, and each of those costs an address permit too. A table that evicts what was used least
 * recently would be emptied by {@code capacity} single guesses, whatever the count.
 */
final class FailureCounters {

  private static final int SWEPT_AT_ONCE = 4;

  /** What came of asking for a permit. */
  sealed interface Answer {
    /** @param permit names it when it is given back */
    record Taken(long permit) implements Answer {}

    record Full(Duration retryAfter) implements Answer {}
  }

  private record Permit(long number, Instant endsAt) {}

  private record Counter(Deque<Permit> permits) {
    boolean isOver(Instant now) {
      return permits.isEmpty() || !now.isBefore(permits.getLast().endsAt());
    }
  }

  private final int capacity;
  /** In the order of the latest change: what is over stands at the front. */
  private final SequencedMap<String, Counter> counters = new LinkedHashMap<>();
  /** Keys by their number of permits, each set in the order of the latest change. */
  private final TreeMap<Integer, LinkedHashSet<String>> levels = new TreeMap<>();

  private long permitsEver;

  FailureCounters(int capacity) {
    this.capacity = capacity;
  }

  /** Takes a permit unless {@code limit} were taken within the window before {@code now}. */
  synchronized Answer take(String key, int limit, Duration window, Instant now) {
    sweep(now);
    Counter counter = detach(key);
    Deque<Permit> permits = counter.permits();
    permits.removeIf(permit -> !now.isBefore(permit.endsAt()));
    if (permits.size() >= limit) {
      attach(key, counter);
      return new Answer.Full(Duration.between(now, freeAt(permits, limit, now)));
    }
    if (counters.size() >= capacity) {
      evict();
    }
    long number = permitsEver++;
    permits.add(new Permit(number, now.plus(window)));
    attach(key, counter);
    return new Answer.Taken(number);
  }

  /** Returns one permit. */
  synchronized void giveBack(String key, long permit) {
    Counter counter = detach(key);
    counter.permits().removeIf(taken -> taken.number() == permit);
    attach(key, counter);
  }

  /** Returns this permit and all that were taken before it. */
  synchronized void clearUpTo(String key, long permit) {
    Counter counter = detach(key);
    counter.permits().removeIf(taken -> taken.number() <= permit);
    attach(key, counter);
  }

  /** Keys that are counted now. */
  synchronized int size() {
    return counters.size();
  }

  /** When so many permits will have ended that one more fits. */
  private static Instant freeAt(Deque<Permit> permits, int limit, Instant now) {
    int before = permits.size() - limit;
    for (Permit permit : permits) {
      if (before-- == 0) {
        return permit.endsAt();
      }
    }
    return now;
  }

  private void sweep(Instant now) {
    Iterator<Map.Entry<String, Counter>> oldest = counters.entrySet().iterator();
    for (int swept = 0; swept < SWEPT_AT_ONCE && oldest.hasNext(); swept++) {
      Map.Entry<String, Counter> entry = oldest.next();
      if (!entry.getValue().isOver(now)) {
        return;
      }
      unlevel(entry.getKey(), entry.getValue());
      oldest.remove();
    }
  }

  private void evict() {
    detach(levels.firstEntry().getValue().getFirst());
  }

  private Counter detach(String key) {
    Counter counter = counters.remove(key);
    if (counter == null) {
      return new Counter(new ArrayDeque<>());
    }
    unlevel(key, counter);
    return counter;
  }

  private void attach(String key, Counter counter) {
    if (counter.permits().isEmpty()) {
      return;
    }
    counters.put(key, counter);
    levels.computeIfAbsent(counter.permits().size(), size -> new LinkedHashSet<>()).add(key);
  }

  private void unlevel(String key, Counter counter) {
    levels.computeIfPresent(
        counter.permits().size(),
        (size, keys) -> {
          keys.remove(key);
          return keys.isEmpty() ? null : keys;
        });
  }
}
