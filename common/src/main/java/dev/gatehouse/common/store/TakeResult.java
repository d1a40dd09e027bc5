package dev.gatehouse.common.store;

import java.time.Instant;

/** What {@link SingleUseStore#take} found. */
public sealed interface TakeResult<V> {
  record First<V>(V value) implements TakeResult<V> {}

  /** Somebody took it before; kept until the value would have expired. */
  record Replayed<V>(Instant takenAt) implements TakeResult<V> {}

  /** Never there, or expired. */
  record Absent<V>() implements TakeResult<V> {}
}
