package dev.gatehouse.common.store;

import dev.gatehouse.common.wait.Stripes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.rocksdb.ColumnFamilyHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores work in RocksDB, in one column family.
 *
 * <pre>
 * 'd' key                 -> due (8 bytes), length of group (2 bytes), group, value
 * 'x' due (8 bytes), key  -> empty: orders by time
 * 'g' group (16 bytes of its SHA-256), key -> empty
 * </pre>
 */
final class RocksDueStore<V> implements DueStore<V> {

  private static final Logger LOG = LoggerFactory.getLogger(RocksDueStore.class);
  private static final int GROUP_PREFIX = 1 + 16;
  private static final int SCANNED_AT_ONCE = 256;

  /**
   * Work due now may be added just after a claim has passed its position. The next claim therefore starts a little earlier, but
   * not at the beginning, where it would read the tombstones of finished work again.
   */
  private static final long LATECOMERS_MILLIS = 10_000;

  private static final Duration FULL_SCAN = Duration.ofHours(1);

  /** One piece of work as it is stored. */
  private record Stored(long due, String group, byte[] body) {}

  private final RocksEngine engine;
  private final ColumnFamilyHandle family;
  private final InstantSource time;
  private final ValueCodec<V> codec;
  private final Stripes stripes = new Stripes();
  private final AtomicLong count;
  // Guarded by the lock of claim().
  private byte[] claimFrom = {'x'};
  private Instant claimedAt = Instant.MIN;
  private Instant fullScanAt = Instant.MIN;

  RocksDueStore(RocksEngine engine, String name, InstantSource time, ValueCodec<V> codec) {
    this.engine = engine;
    this.family = engine.family("due." + name);
    this.time = time;
    this.codec = codec;
    this.count = new AtomicLong(engine.count(family, new byte[] {'d'}));
  }

  @Override
  public boolean add(Work<V> work) {
    byte[] key = Bytes.utf8(work.key());
    Lock lock = stripes.of(key);
    lock.lock();
    try {
      if (read(key).isPresent()) {
        return false;
      }
      Stored added = new Stored(millis(work.due()), work.group(), codec.encode(work.value()));
      write(
          batch -> {
            put(batch, key, added);
            batch.mark(family, groupKey(work.group(), key));
          });
      count.incrementAndGet();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public synchronized List<Work<V>> claim(int limit, Duration lease) {
    Instant now = time.instant();
    // New work may be due before the position that was reached by a clock that was ahead.
    boolean isSetBack = now.isBefore(claimedAt);
    claimedAt = now;
    if (isSetBack || !now.isBefore(fullScanAt)) {
      claimFrom = new byte[] {'x'};
      fullScanAt = now.plus(FULL_SCAN);
    }
    List<Work<V>> claimed = new ArrayList<>();
    List<byte[]> dueKeys = engine.keys(family, new byte[] {'x'}, claimFrom, limit);
    for (byte[] dueKey : dueKeys) {
      long due = ByteBuffer.wrap(dueKey, 1, Long.BYTES).getLong();
      if (due > now.toEpochMilli()) {
        break;
      }
      byte[] key = Arrays.copyOfRange(dueKey, 1 + Long.BYTES, dueKey.length);
      claim(key, due, now.plus(lease)).ifPresent(claimed::add);
      byte[] next = dueKey(due - LATECOMERS_MILLIS, new byte[0]);
      claimFrom = Arrays.compareUnsigned(next, claimFrom) > 0 ? next : claimFrom;
    }
    return List.copyOf(claimed);
  }

  private Optional<Work<V>> claim(byte[] key, long due, Instant until) {
    Lock lock = stripes.of(key);
    lock.lock();
    try {
      Optional<Stored> stored = read(key).filter(found -> found.due() == due);
      if (stored.isEmpty()) {
        return Optional.empty();
      }
      Optional<Work<V>> work = work(key, new Stored(until.toEpochMilli(), stored.get().group(), stored.get().body()));
      if (work.isEmpty()) {
        remove(key, stored.get());
        return Optional.empty();
      }
      write(batch -> move(batch, key, stored.get(), until.toEpochMilli(), stored.get().body()));
      return work;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean replace(String name, V value, Instant due) {
    byte[] key = Bytes.utf8(name);
    Lock lock = stripes.of(key);
    lock.lock();
    try {
      Optional<Stored> before = read(key);
      before.ifPresent(
          old -> write(batch -> move(batch, key, old, millis(due), codec.encode(value))));
      return before.isPresent();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean remove(String name) {
    byte[] key = Bytes.utf8(name);
    Lock lock = stripes.of(key);
    lock.lock();
    try {
      Optional<Stored> before = read(key);
      before.ifPresent(old -> remove(key, old));
      return before.isPresent();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<Work<V>> find(String name) {
    byte[] key = Bytes.utf8(name);
    return read(key).flatMap(stored -> work(key, stored));
  }

  @Override
  public List<Work<V>> page(String group, String after, int limit) {
    byte[] prefix = groupKey(group, new byte[0]);
    byte[] start = after.isEmpty() ? prefix : Bytes.following(groupKey(group, Bytes.utf8(after)));
    List<Work<V>> found = new ArrayList<>();
    while (found.size() < limit) {
      List<byte[]> keys = engine.keys(family, prefix, start, Math.min(SCANNED_AT_ONCE, limit - found.size()));
      if (keys.isEmpty()) {
        break;
      }
      for (byte[] groupKey : keys) {
        byte[] key = Arrays.copyOfRange(groupKey, GROUP_PREFIX, groupKey.length);
        read(key).filter(stored -> stored.group().equals(group)).flatMap(s -> work(key, s)).ifPresent(found::add);
      }
      start = Bytes.following(keys.getLast());
    }
    return List.copyOf(found);
  }

  @Override
  public long count(String group) {
    return engine.count(family, groupKey(group, new byte[0]));
  }

  @Override
  public long count() {
    return count.get();
  }

  /** Requires the lock of the key. */
  private void remove(byte[] key, Stored stored) {
    write(
        batch -> {
          batch.delete(family, Bytes.prefixed('d', key));
          batch.delete(family, dueKey(stored.due(), key));
          batch.delete(family, groupKey(stored.group(), key));
        });
    count.decrementAndGet();
  }

  private void move(RocksBatch batch, byte[] key, Stored before, long due, byte[] body) {
    batch.delete(family, dueKey(before.due(), key));
    put(batch, key, new Stored(due, before.group(), body));
  }

  /** Limits how long ago work can be due: claims do not look further back. */
  private long millis(Instant due) {
    return Math.max(due.toEpochMilli(), time.instant().toEpochMilli() - LATECOMERS_MILLIS / 2);
  }

  private void put(RocksBatch batch, byte[] key, Stored stored) {
    byte[] group = Bytes.utf8(stored.group());
    byte[] head =
        ByteBuffer.allocate(Long.BYTES + Short.BYTES).putLong(stored.due()).putShort((short) group.length).array();
    batch.put(family, Bytes.prefixed('d', key), Bytes.join(head, group, stored.body()));
    batch.mark(family, dueKey(stored.due(), key));
  }

  private Optional<Stored> read(byte[] key) {
    return engine.get(family, Bytes.prefixed('d', key)).map(RocksDueStore::parse);
  }

  private static Stored parse(byte[] value) {
    ByteBuffer buffer = ByteBuffer.wrap(value);
    long due = buffer.getLong();
    byte[] group = new byte[buffer.getShort()];
    buffer.get(group);
    byte[] body = new byte[buffer.remaining()];
    buffer.get(body);
    return new Stored(due, new String(group, StandardCharsets.UTF_8), body);
  }

  /** Returns nothing if no version can read the value any more: such work cannot be done. */
  private Optional<Work<V>> work(byte[] key, Stored stored) {
    try {
      return Optional.of(
          new Work<>(
              new String(key, StandardCharsets.UTF_8),
              stored.group(),
              codec.decode(stored.body()),
              Instant.ofEpochMilli(stored.due())));
    } catch (IllegalArgumentException e) {
      LOG.warn("Pending work cannot be read", e);
      return Optional.empty();
    }
  }

  private void write(Consumer<RocksBatch> changes) {
    try (RocksBatch batch = engine.batch()) {
      changes.accept(batch);
      batch.commit(false);
    }
  }

  private static byte[] dueKey(long due, byte[] key) {
    return Bytes.numbered('x', due, key);
  }

  private static byte[] groupKey(String group, byte[] key) {
    return Bytes.prefixed('g', Arrays.copyOf(Bytes.digest(group), GROUP_PREFIX - 1), key);
  }
}
