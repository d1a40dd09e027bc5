package dev.gatehouse.common.store;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The expiry times of the entries of a memory store, in order. Every write sweeps a few entries, more than it adds, so that
 * expired entries cannot pile up and no thread is needed.
 */
final class Deadlines<K> {

  private static final int SWEPT_PER_WRITE = 8;
  private static final Comparator<Due<?>> BY_TIME =
      Comparator.<Due<?>, Instant>comparing(Due::at).thenComparingLong(Due::sequence);

  /** @param sequence orders entries that are due at the same time */
  record Due<K>(Instant at, long sequence, K key) {}

  private final ConcurrentSkipListSet<Due<K>> dues = new ConcurrentSkipListSet<>(BY_TIME);
  private final AtomicLong sequences = new AtomicLong();

  Due<K> add(K key, Instant at) {
    Due<K> due = new Due<>(at, sequences.getAndIncrement(), key);
    dues.add(due);
    return due;
  }

  void remove(Due<K> due) {
    dues.remove(due);
  }

  /** Passes some of the keys that are due at {@code now} to {@code expired}; each key is passed once. */
  void sweep(Instant now, Consumer<K> expired) {
    sweep(now, SWEPT_PER_WRITE, expired);
  }

  /** Returns up to {@code limit} of the keys that are due at {@code now}, the earliest first, without removing them. */
  List<K> due(Instant now, int limit) {
    return dues.stream().limit(limit).takeWhile(due -> !now.isBefore(due.at())).map(Due::key).toList();
  }

  /** As {@link #sweep(Instant, Consumer)}, but for all keys that are due. */
  void sweepAll(Instant now, Consumer<K> expired) {
    sweep(now, Integer.MAX_VALUE, expired);
  }

  private void sweep(Instant now, int limit, Consumer<K> expired) {
    int swept = 0;
    for (Due<K> due : dues) {
      if (swept == limit || now.isBefore(due.at())) {
        return;
      }
      swept++;
      if (dues.remove(due)) {
        expired.accept(due.key());
      }
    }
  }
}
