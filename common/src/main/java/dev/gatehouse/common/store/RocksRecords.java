package dev.gatehouse.common.store;

import dev.gatehouse.common.wait.Stripes;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import org.rocksdb.ColumnFamilyHandle;

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
 * time-ordered index, and {@link RocksSweep} moves it later, so that a touch writes one key and not three. A caller that changes
 * a record holds {@link #lock} until the change is written.
 */
final class RocksRecords {

  /** A time before everything: something may be due. */
  static final long UNKNOWN = Long.MIN_VALUE;

  private static final byte[] DUES = {'x'};
  private static final int HEADER = Bytes.INSTANT + Long.BYTES;

  /** What a change of a record has to know of the one that it replaces or removes. */
  interface Timed {
    Instant expiresAt();

    /** Returns the position in the time-ordered index, in milliseconds since 1970. */
    long due();

    default boolean isLive(Instant now) {
      return now.isBefore(expiresAt());
    }
  }

  record Stored(Instant expiresAt, long due, byte[] body) implements Timed {}

  /** A session as it is stored. */
  sealed interface StoredSession<S> extends Timed {

    /** As it was written or read: many sessions are written and not read for hours. */
    record Packed<S>(Stored stored) implements StoredSession<S> {
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

  /**
   * An entry of the time-ordered index.
   *
   * @param indexKey its position
   * @param time from which its record is checked, in milliseconds since 1970
   * @param key of the record
   */
  record Due(byte[] indexKey, long time, byte[] key) {}

  /**
   * Entries in the order of time.
   *
   * @param next time of the first entry that is not due; {@link #UNKNOWN} if more may be due
   */
  record Dues(List<Due> entries, long next) {}

  private final RocksEngine engine;
  private final String name;
  private final ColumnFamilyHandle family;
  private final InstantSource time;
  private final Stripes stripes = new Stripes();

  /** No entry of the index that the sweeper has not seen is earlier; see {@link #dues}. */
  private final AtomicLong nextDue = new AtomicLong(UNKNOWN);

  RocksRecords(RocksEngine engine, String name, InstantSource time) {
    this.engine = engine;
    this.name = name;
    this.family = engine.family(name);
    this.time = time;
  }

  String name() {
    return name;
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

  /** Returns false if nothing is due that {@link #dues} has not returned: then nobody need open an iterator. */
  boolean mayBeDue(Instant now) {
    return nextDue.get() <= now.toEpochMilli();
  }

  /** Declares that something may be due from that time on, in milliseconds. */
  void dueFrom(long time) {
    if (time < nextDue.get()) {
      nextDue.accumulateAndGet(time, Math::min);
    }
  }

  /**
   * Returns up to {@code limit} entries of the index that are due, from that position on. Whoever has dealt with them calls
   * {@link #dueFrom} with {@link Dues#next}, and after a failure with {@link #UNKNOWN}.
   *
   * <p>No entry is overlooked that is written meanwhile: the next time is forgotten before the index is read, and a writer tells
   * its time after the write. Either the entry is found here, or its time is told after it was forgotten: reading and writing
   * each change the engine's number of users, which orders them among processors.
   */
  Dues dues(byte[] from, Instant now, int limit) {
    nextDue.set(Long.MAX_VALUE);
    long last = now.toEpochMilli();
    List<byte[]> keys = engine.keys(family, DUES, from, limit, key -> timeOf(key) > last);
    List<Due> entries = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      if (timeOf(key) > last) {
        return new Dues(entries, timeOf(key));
      }
      entries.add(new Due(key, timeOf(key), Arrays.copyOfRange(key, 1 + Long.BYTES, key.length)));
    }
    return new Dues(entries, keys.size() < limit ? Long.MAX_VALUE : UNKNOWN);
  }

  /** Returns the position of the index before all entries. */
  static byte[] firstDue() {
    return DUES.clone();
  }

  private static long timeOf(byte[] indexKey) {
    return ByteBuffer.wrap(indexKey, 1, Long.BYTES).getLong();
  }

  /** Several changes that are written together or not at all. */
  final class Change implements AutoCloseable {
    private final RocksBatch batch = engine.batch();
    private long earliest = Long.MAX_VALUE;

    /**
     * Writes the record in place of {@code before}, which is stored under the same lock: the result of {@link #read}, or of the last
     * change. Returns it as it is stored after {@link #commit}.
     */
    Stored put(byte[] key, Optional<? extends Timed> before, Instant expiresAt, byte[] body) {
      long due = Bytes.ceilMillis(expiresAt);
      if (before.isPresent() && before.get().due() <= due && before.get().isLive(now())) {
        long earlier = before.get().due();
        write(key, expiresAt, earlier, body);
        return new Stored(expiresAt, earlier, body);
      }
      before.ifPresent(old -> unmark(dueKey(old.due(), key)));
      writeAt(due, key, expiresAt, body);
      return new Stored(expiresAt, due, body);
    }

    /** Moves the record to its expiry in the time-ordered index. */
    void moveToExpiry(byte[] key, Stored stored) {
      unmark(dueKey(stored.due(), key));
      writeAt(Bytes.ceilMillis(stored.expiresAt()), key, stored.expiresAt(), stored.body());
    }

    private void writeAt(long due, byte[] key, Instant expiresAt, byte[] body) {
      earliest = Math.min(earliest, due);
      mark(dueKey(due, key));
      write(key, expiresAt, due, body);
    }

    private void write(byte[] key, Instant expiresAt, long due, byte[] body) {
      ByteBuffer value = Bytes.put(ByteBuffer.allocate(HEADER + body.length), expiresAt).putLong(due).put(body);
      batch.put(family, Bytes.prefixed('d', key), value.array());
    }

    void remove(byte[] key, Timed before) {
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
      try {
        batch.commit(false);
      } finally {
        // After the write, see dues(). Also after one that failed: what is looked for in vain harms nobody.
        dueFrom(earliest);
      }
    }

    @Override
    public void close() {
      batch.close();
    }
  }

  Change change() {
    return new Change();
  }

  private static byte[] dueKey(long due, byte[] key) {
    return Bytes.numbered('x', due, key);
  }

  private static Stored parse(byte[] value) {
    ByteBuffer buffer = ByteBuffer.wrap(value);
    Instant expiresAt = Bytes.instant(buffer);
    long due = buffer.getLong();
    return new Stored(expiresAt, due, Arrays.copyOfRange(value, HEADER, value.length));
  }
}
