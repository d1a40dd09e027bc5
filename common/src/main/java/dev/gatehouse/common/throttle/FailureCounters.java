package dev.gatehouse.common.throttle;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Counts permits in the memory of this node. Bounded.
 *
 * <p><b>Why an attacker cannot evict a counter cheaply.</b> When the table is full, the key with the fewest permits is evicted, among
 * equals the one unchanged for longest. An account with k failures is therefore forgotten only when {@code capacity} other keys have
 * at least k failures each within the window. An attacker who wants k more guesses at one account must first spend {@code capacity *
 * k} admitted guesses on others, and each of those costs an address permit too. A table that evicts the least recently used key would
 * be emptied by {@code capacity} single guesses, whatever the count.
 */
public final class FailureCounters implements PermitCounters {

  /** Number of keys that are counted: about 40 MB when full of keys with a failure or two. */
  static final int CAPACITY = 100_000;

  private static final int SWEPT_AT_ONCE = 4;
  private static final int MAX_WAITING = 1_000;

  private static final class Permit {
    private final long number;
    private final String who;
    private final Instant openUntil;
    private final Instant endsAt;
    private boolean settled;

    Permit(long number, String who, Instant openUntil, Instant endsAt) {
      this.number = number;
      this.who = who;
      this.openUntil = openUntil;
      this.endsAt = endsAt;
    }

    boolean isOver(Instant now) {
      return !now.isBefore(endsAt);
    }

    boolean hasFailed(Instant now) {
      return !isOver(now) && (settled || !now.isBefore(openUntil));
    }
  }

  private record Counter(Deque<Permit> permits, Deque<CompletableFuture<Void>> waiting) {
    boolean isOver(Instant now) {
      return permits.isEmpty() || permits.getLast().isOver(now);
    }

    long failed(Instant now) {
      return permits.stream().filter(permit -> permit.hasFailed(now)).count();
    }

    /** Removes these permits and lets as many waiting callers try again. */
    void free(Predicate<Permit> which) {
      int before = permits.size();
      permits.removeIf(which);
      wake(before - permits.size());
    }

    void wake(int most) {
      for (int i = 0; i < most && !waiting.isEmpty(); i++) {
        waiting.removeFirst().complete(null);
      }
    }
  }

  private final int capacity;
  /** In the order of the latest change, so that expired counters are at the front. */
  private final SequencedMap<String, Counter> counters = new LinkedHashMap<>();
  /**
   * By number of permits the keys that have so many, in the order of the latest change. None is empty: a set that is emptied
   * keeps the memory of its largest size, and is removed therefore.
   */
  private final SortedMap<Integer, SequencedSet<String>> levels = new TreeMap<>();

  private long permitsEver;

  /** Lets callers skip the lock while nothing is counted. */
  private volatile boolean empty = true;

  public FailureCounters() {
    this(CAPACITY);
  }

  FailureCounters(int capacity) {
    this.capacity = capacity;
  }

  /**
   * Takes a permit unless {@code limit} were taken within the window before {@code now}.
   *
   * @param who the party charged for it, if several may be
   */
  @Override
  public synchronized Answer take(String key, String who, int limit, Duration window, Instant now) {
    sweep(now);
    Counter counter = detach(key);
    counter.free(permit -> permit.isOver(now));
    Answer answer =
        counter.permits().size() < limit ? taken(counter, who, window, now) : refused(counter, limit, now);
    if (answer instanceof Answer.Taken && counters.size() >= capacity) {
      evict();
    }
    attach(key, counter);
    empty = counters.isEmpty();
    return answer;
  }

  private Answer taken(Counter counter, String who, Duration window, Instant now) {
    long number = permitsEver++;
    counter.permits().add(new Permit(number, who, now.plus(MAX_OPEN), now.plus(window)));
    return new Answer.Taken(number);
  }

  private static Answer refused(Counter counter, int limit, Instant now) {
    long failed = counter.failed(now);
    if (failed >= limit) {
      return new Answer.Full(Duration.between(now, freeAt(counter, failed - limit, now)));
    }
    if (counter.waiting().size() >= MAX_WAITING) {
      return new Answer.Crowded(Optional.empty());
    }
    CompletableFuture<Void> change = new CompletableFuture<>();
    counter.waiting().add(change);
    return new Answer.Crowded(Optional.of(change));
  }

  /** Returns how long no permit is available; empty if one is. Takes nothing. */
  @Override
  public synchronized Optional<Duration> full(String key, int limit, Instant now) {
    Counter counter = counters.get(key);
    if (counter == null || counter.permits().size() < limit) {
      return Optional.empty();
    }
    long failed = counter.failed(now);
    return failed < limit
        ? Optional.empty()
        : Optional.of(Duration.between(now, freeAt(counter, failed - limit, now)));
  }

  /** Removes a caller that no longer waits for that change. */
  @Override
  public synchronized void leave(String key, CompletableFuture<Void> change) {
    Counter counter = counters.get(key);
    if (counter != null) {
      counter.waiting().remove(change);
    }
  }

  @Override
  public synchronized int failed(String key, Instant now) {
    Counter counter = counters.get(key);
    return counter == null ? 0 : Math.toIntExact(counter.failed(now));
  }

  @Override
  public synchronized int forget(String key, Instant now) {
    List<String> meant = counters.keySet().stream().filter(other -> other.equals(key) || other.startsWith(key + '\0')).toList();
    int forgotten = 0;
    for (String each : meant) {
      forgotten += failed(each, now);
      free(each, permit -> permit.hasFailed(now));
    }
    return forgotten;
  }

  /** Records that the try failed: the permit stays taken for the rest of its window. */
  @Override
  public synchronized void fail(String key, long permit) {
    Counter counter = counters.get(key);
    if (counter == null) {
      return;
    }
    boolean isOpen = false;
    for (Permit taken : counter.permits()) {
      taken.settled |= taken.number == permit;
      isOpen |= !taken.settled;
    }
    if (!isOpen) {
      counter.wake(Integer.MAX_VALUE);
    }
  }

  /** Returns one permit. */
  @Override
  public synchronized void giveBack(String key, long permit) {
    free(key, taken -> taken.number == permit);
  }

  /** Returns this permit, and all permits of the same {@code who} that were taken before it and failed. */
  @Override
  public synchronized void clearUpTo(String key, String who, long permit) {
    free(
        key,
        taken -> taken.number == permit || taken.settled && taken.number < permit && taken.who.equals(who));
  }

  private void free(String key, Predicate<Permit> which) {
    Counter counter = detach(key);
    counter.free(which);
    attach(key, counter);
    empty = counters.isEmpty();
  }

  /** Returns whether nothing is counted. */
  @Override
  public boolean isEmpty() {
    return empty;
  }

  /** Returns the number of keys that are counted now. */
  synchronized int size() {
    return counters.size();
  }

  /** Returns the number of different counts of permits that are kept. */
  synchronized int levels() {
    return levels.size();
  }

  /** Returns when {@code before} of the failed permits, and one more, will have ended. */
  private static Instant freeAt(Counter counter, long before, Instant now) {
    return counter.permits().stream()
        .filter(permit -> permit.hasFailed(now))
        .skip(before)
        .findFirst()
        .map(permit -> permit.endsAt)
        .orElse(now);
  }

  private void sweep(Instant now) {
    Iterator<Map.Entry<String, Counter>> oldest = counters.entrySet().iterator();
    for (int swept = 0; swept < SWEPT_AT_ONCE && oldest.hasNext(); swept++) {
      Map.Entry<String, Counter> entry = oldest.next();
      if (!entry.getValue().isOver(now)) {
        return;
      }
      unlevel(entry.getKey(), entry.getValue());
      entry.getValue().wake(Integer.MAX_VALUE);
      oldest.remove();
    }
  }

  private void evict() {
    SequencedSet<String> fewest = levels.values().iterator().next();
    detach(fewest.getFirst()).wake(Integer.MAX_VALUE);
  }

  private Counter detach(String key) {
    Counter counter = counters.remove(key);
    if (counter == null) {
      return new Counter(new ArrayDeque<>(), new ArrayDeque<>());
    }
    unlevel(key, counter);
    return counter;
  }

  private void attach(String key, Counter counter) {
    if (counter.permits().isEmpty()) {
      counter.wake(Integer.MAX_VALUE);
      return;
    }
    counters.put(key, counter);
    levels.computeIfAbsent(counter.permits().size(), level -> new LinkedHashSet<>()).add(key);
  }

  private void unlevel(String key, Counter counter) {
    levels.computeIfPresent(
        counter.permits().size(),
        (level, keys) -> {
          keys.remove(key);
          return keys.isEmpty() ? null : keys;
        });
  }
}
