package dev.gatehouse.common.store;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** Stores single-use values in memory: for tests and {@code storage: volatile}. Throws {@link StoreUnavailable} when full. */
public final class MemorySingleUseStore<V> implements SingleUseStore<V> {

  private sealed interface State<V> {
    record Held<V>(V value) implements State<V> {}

    record Taken<V>(Instant at) implements State<V> {}
  }

  private static final class Slot<V> {
    private final Instant expiresAt;
    private final Deadlines.Due<String> due;
    private State<V> state;

    Slot(V value, Instant expiresAt, Deadlines.Due<String> due) {
      this.expiresAt = expiresAt;
      this.due = due;
      this.state = new State.Held<>(value);
    }

    boolean isLive(Instant now) {
      return now.isBefore(expiresAt);
    }

    synchronized State<V> look() {
      return state;
    }

    /** Leaves a tombstone and returns the previous state; only one caller gets the value. */
    synchronized State<V> take(Instant now) {
      State<V> before = state;
      if (before instanceof State.Held<V>) {
        state = new State.Taken<>(now);
      }
      return before;
    }
  }

  private final InstantSource time;
  private final int capacity;
  private final ConcurrentHashMap<String, Slot<V>> slots = new ConcurrentHashMap<>();
  private final Deadlines<String> deadlines = new Deadlines<>();

  /** @param capacity the largest number of entries, including tombstones */
  public MemorySingleUseStore(InstantSource time, int capacity) {
    this.time = time;
    this.capacity = capacity;
  }

  @Override
  public void put(String key, V value, Instant expiresAt) {
    if (!putUnless(live -> true, key, value, expiresAt)) {
      throw new IllegalStateException("The key exists or was taken");
    }
  }

  @Override
  public boolean replace(String key, V value, Instant expiresAt) {
    // Takes the former value, so that a caller that already holds its slot does not get it in addition to the new one.
    return putUnless(live -> live.take(time.instant()) instanceof State.Taken<V>, key, value, expiresAt);
  }

  private boolean putUnless(Predicate<Slot<V>> isInTheWay, String key, V value, Instant expiresAt) {
    Instant now = time.instant();
    makeRoom(now);
    Slot<V> slot = new Slot<>(value, expiresAt, deadlines.add(key, expiresAt));
    boolean stored =
        slots.compute(key, (k, old) -> old != null && old.isLive(now) && isInTheWay.test(old) ? old : slot) == slot;
    if (!stored) {
      deadlines.remove(slot.due);
    }
    return stored;
  }

  @Override
  public void updateLater(String key, Function<Optional<V>, V> change, Instant expiresAt) {
    Instant now = time.instant();
    makeRoom(now);
    slots.compute(
        key,
        (k, old) -> {
          if (old == null || !old.isLive(now)) {
            return new Slot<>(change.apply(Optional.empty()), expiresAt, deadlines.add(key, expiresAt));
          }
          return old.take(now) instanceof State.Held<V>(V value)
              ? new Slot<>(change.apply(Optional.of(value)), expiresAt, deadlines.add(key, expiresAt))
              : old;
        });
  }

  private void makeRoom(Instant now) {
    deadlines.sweep(now, due -> slots.computeIfPresent(due, (k, slot) -> slot.isLive(now) ? slot : null));
    if (slots.size() >= capacity) {
      throw new StoreUnavailable("The memory store is full: " + capacity + " entries");
    }
  }

  @Override
  public TakeResult<V> take(String key) {
    Instant now = time.instant();
    Slot<V> slot = slots.get(key);
    if (slot == null || !slot.isLive(now)) {
      return new TakeResult.Absent<>();
    }
    return switch (slot.take(now)) {
      case State.Held<V>(V value) -> new TakeResult.First<>(value);
      case State.Taken<V>(Instant at) -> new TakeResult.Replayed<>(at);
    };
  }

  @Override
  public Optional<V> peek(String key) {
    Slot<V> slot = slots.get(key);
    return slot != null && slot.isLive(time.instant()) && slot.look() instanceof State.Held<V>(V value)
        ? Optional.of(value)
        : Optional.empty();
  }

  @Override
  public void discard(String key) {
    slots.computeIfPresent(
        key,
        (k, slot) -> {
          if (!(slot.look() instanceof State.Held<V>)) {
            return slot;
          }
          deadlines.remove(slot.due);
          return null;
        });
  }
}
