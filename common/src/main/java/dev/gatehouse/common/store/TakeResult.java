package dev.gatehouse.common.store;

import java.time.Instant;

/** The result of {@link SingleUseStore#take}. */
public sealed interface TakeResult<V> {
  record First<V>(V value) implements TakeResult<V> {}

  /** The value was taken before; known until the value would have expired. */
  record Replayed<V>(Instant takenAt) implements TakeResult<V> {}

  /** The value was never stored, or has expired. */
  record Absent<V>() implements TakeResult<V> {}
}
