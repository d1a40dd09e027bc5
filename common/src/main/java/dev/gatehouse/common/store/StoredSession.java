package dev.gatehouse.common.store;

import java.time.Instant;

/** A session as RocksDB has it, with its place in the time-ordered index. */
sealed interface StoredSession<S> extends RocksRecords.Timed {

  /** As it was written or read: many sessions are written and not read for hours. */
  record Packed<S>(RocksRecords.Stored stored) implements StoredSession<S> {
    @Override
    public Instant expiresAt() {
      return stored.expiresAt();
    }

    @Override
    public long due() {
      return stored.due();
    }
  }

  /** As somebody has read it. */
  record Unpacked<S>(Instant expiresAt, long due, S session) implements StoredSession<S> {}
}
