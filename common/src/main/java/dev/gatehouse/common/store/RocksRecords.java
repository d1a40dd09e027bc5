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
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * One key space: records that expire, in one column family.
 *
 * <pre>
 * 'd' key                 -> expiresAt (12 bytes), due (8 bytes), body
 * 'x' due (8 bytes), key  -> nothing: when the sweeper looks at the record again
 * 'i' ...                 -> nothing: what a store adds
 * </pre>
 *
 * <p>{@code due} is never after the expiry, but may be before it: a session that is touched keeps its place in the
 * time-ordered index and is moved when the sweeper meets it, so that a touch writes one key and not three. Whoever changes
 * a record holds {@link #lock}.
 */
final class RocksRecords {

  private static final byte[] DUES = {'x'};
  private static final byte[] NOTHING = {};
  private static final int HEADER = Bytes.INSTANT + Long.BYTES;
  private static final int LOOKED_AT_ONCE = 256;
  private static final Duration FULL_SWEEP = Duration.ofHours(1);

  /** @param due milliseconds since 1970: where it stands in the time-ordered index */
  record Stored(Instant expiresAt, long due, byte[] body) {
    boolean isLive(Instant now) {
      return now.isBefore(expiresAt);
    }
  }

  /** Told of a record that the sweeper removes, within the same write. */
  interface OnExpiry {
    void removed(Change change, byte[] key, byte[] body);
  }

  private final RocksEngine engine;
  private final ColumnFamilyHandle family;
  private final InstantSource time;
  private final OnExpiry onExpiry;
  private final Stripes stripes = new Stripes();
  // Used by the sweeper only, or under the lock of expired().
  private byte[] sweptTo = DUES;
  private Instant fullSweepAt = Instant.MIN;

  RocksRecords(RocksEngine engine, String name, InstantSource time, OnExpiry onExpiry) {
    this.engine = engine;
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

  /** The record, be it expired or not. */
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

  /** Keys that a store added itself; see {@link RocksEngine#keys}. */
  List<byte[]> keys(byte[] prefix, byte[] from, int most) {
    return engine.keys(family, prefix, from, most);
  }

  /** Several changes that happen together or not at all. */
  final class Change implements AutoCloseable {
    private final WriteBatch batch = new WriteBatch();

    /** Writes the record in place of {@code before}, which is what {@link #read} said under the same lock. */
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
      unchecked(() -> batch.put(family, Bytes.prefixed('d', key), value));
    }

    void remove(byte[] key, Stored before) {
      unmark(dueKey(before.due(), key));
      unmark(Bytes.prefixed('d', key));
    }

    /** Adds a key without a value. */
    void mark(byte[] key) {
      unchecked(() -> batch.put(family, key, NOTHING));
    }

    void unmark(byte[] key) {
      unchecked(() -> batch.delete(family, key));
    }

    void commit() {
      engine.write(batch, false);
    }

    @Override
    public void close() {
      batch.close();
    }

    private void unchecked(BatchCall call) {
      try {
        call.run();
      } catch (RocksDBException e) {
        throw new IllegalStateException("A batch could not take a change", e);
      }
    }
  }

  @FunctionalInterface
  private interface BatchCall {
    void run() throws RocksDBException;
  }

  Change change() {
    return new Change();
  }

  /**
   * Looks at up to {@code most} records that are due, removes those that expired, and returns how many it looked at. Called
   * by one thread. It goes on where it stopped, past the marks it deleted, and begins anew once an hour to find what was
   * born expired.
   */
  int sweep(int most) {
    Instant now = now();
    if (!now.isBefore(fullSweepAt)) {
      sweptTo = DUES;
      fullSweepAt = now.plus(FULL_SWEEP);
    }
    int looked = 0;
    for (byte[] dueKey : engine.keys(family, DUES, sweptTo, most)) {
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
   * Keys of up to {@code most} records that expired, about in the order of time; they stay. Settles, on its way, those that
   * live longer than their mark says. In place of {@link #sweep}; goes on at the first that it returned last time, past the
   * marks of those that were removed since then.
   */
  synchronized List<byte[]> expired(int most) {
    Instant now = now();
    if (!now.isBefore(fullSweepAt)) {
      sweptTo = DUES;
      fullSweepAt = now.plus(FULL_SWEEP);
    }
    List<byte[]> found = new ArrayList<>();
    byte[] from = sweptTo;
    while (found.size() < most) {
      List<byte[]> dueKeys = engine.keys(family, DUES, from, Math.min(LOOKED_AT_ONCE, most - found.size()));
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
      Optional<Stored> stored = read(key).filter(found -> found.due() == due);
      if (stored.isPresent() && !stored.get().isLive(now)) {
        return true;
      }
      change.unmark(dueKey);
      if (stored.isPresent()) {
        settle(change, now, key, stored.get());
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
      change.unmark(dueKey);
      Optional<Stored> stored = read(key).filter(found -> found.due() == due);
      if (stored.isPresent()) {
        settle(change, now, key, stored.get());
      }
      change.commit();
    } finally {
      lock.unlock();
    }
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
