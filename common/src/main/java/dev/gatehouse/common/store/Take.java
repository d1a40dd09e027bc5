package dev.gatehouse.common.store;

import java.time.Instant;

/** What {@link SingleUseStore#take} found. */
public sealed interface Take<V> {
  record First<V>(V value) implements Take<V> {}

  /** Somebody took it before; kept until the value would have expired. */
  record Replayed<V>(Instant takenAt) implements Take<V> {}

  /** Never there, or expired. */
  record Absent<V>() implements Take<V> {}
}
