package dev.gatehouse.common.store;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.rocksdb.ColumnFamilyHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One key space in one column family: records that expire.
 *
 * <pre>
 * 'd' key                 -> expiresAt (12 bytes), due (8 bytes), body
 * 'x' due (8 bytes), key  -> empty: when the sweeper checks the record again
 * 'i' ...                 -> empty: index keys of a store
 * </pre>
 *
 * <p>{@code due} is never after the expiry, but may be before it: a session that is touched stays at its position in the
 * time-ordered index, and the sweeper moves it later, so that a touch writes one key and not three. A caller that changes a
 * record holds {@link #lock}.
 */
final class RocksRecords {

  private static final Logger LOG = LoggerFactory.getLogger(RocksRecords.class);
  private static final byte[] DUES = {'x'};
  private static final int HEADER = Bytes.INSTANT + Long.BYTES;
  private static final int SCANNED_AT_ONCE = 256;
  private static final Duration FULL_SWEEP = Duration.ofHours(1);

  /** @param due position in the time-ordered index, in milliseconds since 1970 */
  record Stored(Instant expiresAt, long due, byte[] body) {
    boolean isLive(Instant now) {
      return now.isBefore(expiresAt);
    }
  }

  /** Receives each record that the sweeper removes, within the same write. */
  interface OnExpiry {
    void removed(Change change, byte[] key, byte[] body);
  }

  private final RocksEngine engine;
  private final String name;
  private final ColumnFamilyHandle family;
  private final InstantSource time;
  private final OnExpiry onExpiry;
  private final Stripes stripes = new Stripes();
  // Used by the sweeper only, or under the lock of expired().
  private byte[] sweptTo = DUES;
  private Instant fullSweepAt = Instant.MIN;

  RocksRecords(RocksEngine engine, String name, InstantSource time, OnExpiry onExpiry) {
    this.engine = engine;
    this.name = name;
    this.family = engine.family(name);
    this.time = time;
    this.onExpiry = onExpiry;
  }

  Lock lock(byte[] key) {
    return stripes.of(key);
  }

  Instant now() {
    return time.instant();
  }

  /** Returns the record, expired or not. */
  Optional<Stored> read(byte[] key) {
    return engine.get(family, Bytes.prefixed('d', key)).map(RocksRecords::parse);
  }

  Optional<Stored> readLive(byte[] key) {
    Instant now = now();
    return read(key).filter(stored -> stored.isLive(now));
  }

  long count() {
    return engine.count(family, new byte[] {'d'});
  }

  /** Returns keys that a store has added itself; see {@link RocksEngine#keys}. */
  List<byte[]> keys(byte[] prefix, byte[] from, int limit) {
    return engine.keys(family, prefix, from, limit);
  }

  /** Several changes that are written together or not at all. */
  final class Change implements AutoCloseable {
    private final RocksBatch batch = engine.batch();

    /** Writes the record in place of {@code before}, the result of {@link #read} under the same lock. */
    void put(byte[] key, Optional<Stored> before, Instant expiresAt, byte[] body) {
      long due = Bytes.ceilMillis(expiresAt);
      if (before.isPresent() && before.get().due() <= due && before.get().isLive(now())) {
        write(key, expiresAt, before.get().due(), body);
        return;
      }
      before.ifPresent(old -> unmark(dueKey(old.due(), key)));
      mark(dueKey(due, key));
      write(key, expiresAt, due, body);
    }

    private void write(byte[] key, Instant expiresAt, long due, byte[] body) {
      byte[] value = Bytes.join(header(expiresAt, due), body);
      batch.put(family, Bytes.prefixed('d', key), value);
    }

    void remove(byte[] key, Stored before) {
      unmark(dueKey(before.due(), key));
      unmark(Bytes.prefixed('d', key));
    }

    /** Adds a key without a value. */
    void mark(byte[] key) {
      batch.mark(family, key);
    }

    void unmark(byte[] key) {
      batch.delete(family, key);
    }

    void commit() {
      batch.commit(false);
    }

    @Override
    public void close() {
      batch.close();
    }
  }

  Change change() {
    return new Change();
  }

  /**
   * Checks up to {@code limit} records that are due, removes the expired ones, and returns the number checked. Only one thread
   * calls it. It continues where it stopped, behind the keys it deleted, and starts over once an hour to find records that had
   * already expired when they were written. Damaged records stay.
   */
  int sweep(int limit) {
    Instant now = now();
    if (!now.isBefore(fullSweepAt)) {
      sweptTo = DUES;
      fullSweepAt = now.plus(FULL_SWEEP);
    }
    int looked = 0;
    for (byte[] dueKey : engine.keys(family, DUES, sweptTo, limit)) {
      ByteBuffer parts = ByteBuffer.wrap(dueKey, 1, dueKey.length - 1);
      long due = parts.getLong();
      if (due > now.toEpochMilli()) {
        break;
      }
      byte[] key = Arrays.copyOfRange(dueKey, 1 + Long.BYTES, dueKey.length);
      settle(now, dueKey, due, key);
      sweptTo = dueKey;
      looked++;
    }
    return looked;
  }

  /**
   * Returns the keys of up to {@code limit} expired records, about in the order of time, without removing them. Moves records
   * that live longer than their index key says. Replaces {@link #sweep} for such stores. It continues at the first key that it
   * returned last time, behind the keys of records that were removed since.
   */
  synchronized List<byte[]> expired(int limit) {
    Instant now = now();
    if (!now.isBefore(fullSweepAt)) {
      sweptTo = DUES;
      fullSweepAt = now.plus(FULL_SWEEP);
    }
    List<byte[]> found = new ArrayList<>();
    byte[] from = sweptTo;
    while (found.size() < limit) {
      List<byte[]> dueKeys = engine.keys(family, DUES, from, Math.min(SCANNED_AT_ONCE, limit - found.size()));
      for (byte[] dueKey : dueKeys) {
        long due = ByteBuffer.wrap(dueKey, 1, Long.BYTES).getLong();
        if (due > now.toEpochMilli()) {
          return List.copyOf(found);
        }
        byte[] key = Arrays.copyOfRange(dueKey, 1 + Long.BYTES, dueKey.length);
        if (isExpired(now, dueKey, due, key)) {
          found.add(key);
        }
        from = Arrays.copyOf(dueKey, dueKey.length + 1);
        sweptTo = found.isEmpty() ? from : sweptTo;
      }
      if (dueKeys.isEmpty()) {
        break;
      }
    }
    return List.copyOf(found);
  }

  private boolean isExpired(Instant now, byte[] dueKey, long due, byte[] key) {
    Lock lock = lock(key);
    lock.lock();
    try (Change change = change()) {
      try {
        Optional<Stored> stored = read(key).filter(found -> found.due() == due);
        if (stored.isPresent() && !stored.get().isLive(now)) {
          return true;
        }
        change.unmark(dueKey);
        stored.ifPresent(found -> settle(change, now, key, found));
      } catch (RuntimeException e) {
        damaged(e);
        return false;
      }
      change.commit();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void settle(Instant now, byte[] dueKey, long due, byte[] key) {
    Lock lock = lock(key);
    lock.lock();
    try (Change change = change()) {
      try {
        change.unmark(dueKey);
        read(key).filter(found -> found.due() == due).ifPresent(found -> settle(change, now, key, found));
      } catch (RuntimeException e) {
        damaged(e);
        return;
      }
      // Outside: if nothing can be written, this fails for every record.
      change.commit();
    } finally {
      lock.unlock();
    }
  }

  private void damaged(RuntimeException e) {
    LOG.error("A record of {} that is due is damaged and stays", name, e);
  }

  private void settle(Change change, Instant now, byte[] key, Stored stored) {
    if (!stored.isLive(now)) {
      change.remove(key, stored);
      onExpiry.removed(change, key, stored.body());
      return;
    }
    long later = Bytes.ceilMillis(stored.expiresAt());
    change.mark(dueKey(later, key));
    change.write(key, stored.expiresAt(), later, stored.body());
  }

  private static byte[] dueKey(long due, byte[] key) {
    return Bytes.prefixed('x', ByteBuffer.allocate(Long.BYTES).putLong(0, due).array(), key);
  }

  private static byte[] header(Instant expiresAt, long due) {
    return ByteBuffer.allocate(HEADER).put(Bytes.instant(expiresAt)).putLong(due).array();
  }

  private static Stored parse(byte[] value) {
    ByteBuffer buffer = ByteBuffer.wrap(value);
    Instant expiresAt = Bytes.instant(buffer);
    long due = buffer.getLong();
    return new Stored(expiresAt, due, Arrays.copyOfRange(value, HEADER, value.length));
  }
}
