package dev.gatehouse.common.store;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Stores work in memory, under one lock: for tests and {@code storage: volatile}. Throws {@link StoreUnavailable} when full. */
final class MemoryDueStore<V> implements DueStore<V> {

  private final InstantSource time;
  private final int capacity;
  private final TreeMap<String, Work<V>> byKey = new TreeMap<>();
  private final TreeSet<Work<V>> byTime =
      new TreeSet<>(Comparator.<Work<V>, Instant>comparing(Work::due).thenComparing(Work::key));

  /** @param capacity the largest number of pieces */
  MemoryDueStore(InstantSource time, int capacity) {
    this.time = time;
    this.capacity = capacity;
  }

  @Override
  public synchronized boolean add(Work<V> work) {
    if (byKey.containsKey(work.key())) {
      return false;
    }
    if (byKey.size() >= capacity) {
      throw new StoreUnavailable("The memory store is full: " + capacity + " pieces of work");
    }
    put(work.key(), work.group(), work.value(), work.due());
    return true;
  }

  @Override
  public synchronized List<Work<V>> claim(int limit, Duration lease) {
    Instant now = time.instant();
    List<Work<V>> due = byTime.stream().limit(limit).takeWhile(work -> !now.isBefore(work.due())).toList();
    List<Work<V>> claimed = new ArrayList<>();
    for (Work<V> work : due) {
      claimed.add(put(work.key(), work.group(), work.value(), now.plus(lease)));
    }
    return List.copyOf(claimed);
  }

  @Override
  public synchronized boolean replace(String key, V value, Instant due) {
    Work<V> before = byKey.get(key);
    if (before == null) {
      return false;
    }
    put(key, before.group(), value, due);
    return true;
  }

  @Override
  public synchronized boolean remove(String key) {
    Work<V> removed = byKey.remove(key);
    return removed != null && byTime.remove(removed);
  }

  @Override
  public synchronized Optional<Work<V>> find(String key) {
    return Optional.ofNullable(byKey.get(key));
  }

  @Override
  public synchronized List<Work<V>> page(String group, String after, int limit) {
    return byKey.tailMap(after, false).values().stream()
        .filter(work -> work.group().equals(group))
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized long count(String group) {
    return byKey.values().stream().filter(work -> work.group().equals(group)).count();
  }

  @Override
  public synchronized long count() {
    return byKey.size();
  }

  private Work<V> put(String key, String group, V value, Instant due) {
    Work<V> work = new Work<>(key, group, value, due.truncatedTo(ChronoUnit.MILLIS));
    Work<V> before = byKey.put(key, work);
    if (before != null) {
      byTime.remove(before);
    }
    byTime.add(work);
    return work;
  }
}
