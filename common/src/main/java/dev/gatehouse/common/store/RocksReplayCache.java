package dev.gatehouse.common.store;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/** Stores replay marks in RocksDB. */
final class RocksReplayCache implements ReplayCache {

  private static final byte[] NO_BODY = {};

  private final RocksRecords records;
  private final Instant completeSince;

  RocksReplayCache(RocksEngine engine, InstantSource time, Instant completeSince) {
    this.records = new RocksRecords(engine, "replay", time, (change, key, body) -> {});
    this.completeSince = completeSince;
  }

  RocksRecords records() {
    return records;
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

  /** {@inheritDoc} Marks all or none. */
  @Override
  public Optional<ReplayKey> seenBefore(List<Mark> marks) {
    List<byte[]> ids = marks.stream().map(mark -> mark.key().digest()).toList();
    List<? extends Lock> locks = records.locks(ids);
    locks.forEach(Lock::lock);
    try (RocksRecords.Change change = records.change()) {
      for (int i = 0; i < ids.size(); i++) {
        byte[] id = ids.get(i);
        Optional<RocksRecords.Stored> before = records.read(id);
        if (before.isPresent() && before.get().isLive(records.now()) || isAmong(ids.subList(0, i), id)) {
          return Optional.of(marks.get(i).key());
        }
        change.put(id, before, marks.get(i).expiresAt(), NO_BODY);
      }
      change.commit();
      return Optional.empty();
    } finally {
      locks.forEach(Lock::unlock);
    }
  }

  private static boolean isAmong(List<byte[]> ids, byte[] id) {
    return ids.stream().anyMatch(other -> Arrays.equals(other, id));
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
