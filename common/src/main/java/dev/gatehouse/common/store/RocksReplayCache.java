package dev.gatehouse.common.store;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/** Stores replay marks in RocksDB. */
final class RocksReplayCache implements ReplayCache {

  private static final byte[] NO_BODY = {};

  private final RocksRecords records;
  private final RocksSweep sweep;
  private final Instant completeSince;

  RocksReplayCache(RocksEngine engine, InstantSource time, Instant completeSince) {
    this.records = new RocksRecords(engine, "replay", time);
    this.sweep = new RocksSweep(records);
    this.completeSince = completeSince;
  }

  RocksRecords records() {
    return records;
  }

  RocksSweep sweep() {
    return sweep;
  }

  @Override
  public boolean firstSeen(ReplayKey key, Instant expiresAt) {
    byte[] id = key.digest();
    Lock lock = records.lock(id);
    lock.lock();
    try (RocksRecords.Change change = records.change()) {
      Optional<RocksRecords.Stored> before = records.read(id);
      if (before.isPresent() && before.get().isLive(records.now())) {
        return false;
      }
      change.put(id, before, expiresAt, NO_BODY);
      change.commit();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isMarked(ReplayKey key) {
    return records.readLive(key.digest()).isPresent();
  }

  @Override
  public Instant completeSince() {
    return completeSince;
  }
}
