package dev.gatehouse.common.store;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Stores single-use values in RocksDB. Keys are stored as their SHA-256: a reader of the data (or of a backup) learns no code
 * that is still valid. Taking a value overwrites it with a tombstone.
 */
final class RocksSingleUseStore<V> implements SingleUseStore<V> {

  private static final byte HELD = 0;
  private static final byte TAKEN = 1;

  /** Limit of postponed values; further ones are written at once. */
  private static final int MAX_POSTPONED = 10_000;

  private static final int WRITTEN_TOGETHER = 256;

  /** A value whose write is postponed. */
  private record Postponed<V>(V value, Instant expiresAt) {}

  private final RocksRecords records;
  private final ValueCodec<V> codec;

  /** Changed under the lock of the key; a value is removed only after it is written. */
  private final ConcurrentHashMap<ByteBuffer, Postponed<V>> postponed = new ConcurrentHashMap<>();

  RocksSingleUseStore(RocksEngine engine, String name, InstantSource time, ValueCodec<V> codec) {
    this.records = new RocksRecords(engine, "single-use." + name, time, (change, key, body) -> {});
    this.codec = codec;
  }

  RocksRecords records() {
    return records;
  }

  @Override
  public void put(String key, V value, Instant expiresAt) {
    if (!putUnless(Optional::isPresent, key, value, expiresAt)) {
      throw new IllegalStateException("The key exists or was taken");
    }
  }

  @Override
  public boolean replace(String key, V value, Instant expiresAt) {
    return putUnless(live -> live.filter(found -> found.body()[0] == TAKEN).isPresent(), key, value, expiresAt);
  }

  private boolean putUnless(
      Predicate<Optional<RocksRecords.Stored>> isInTheWay, String key, V value, Instant expiresAt) {
    byte[] id = Bytes.digest(key);
    byte[] body = body(value);
    Lock lock = records.lock(id);
    lock.lock();
    try (RocksRecords.Change change = records.change()) {
      writePostponed(id);
      Optional<RocksRecords.Stored> before = records.read(id);
      if (isInTheWay.test(before.filter(found -> found.isLive(records.now())))) {
        return false;
      }
      change.put(id, before, expiresAt, body);
      change.commit();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void updateLater(String key, Function<Optional<V>, V> change, Instant expiresAt) {
    byte[] id = Bytes.digest(key);
    Lock lock = records.lock(id);
    lock.lock();
    try {
      Optional<Postponed<V>> waiting = postponed(id);
      Optional<RocksRecords.Stored> stored = waiting.isPresent() ? Optional.empty() : records.readLive(id);
      if (stored.filter(found -> found.body()[0] == TAKEN).isPresent()) {
        return;
      }
      Optional<V> held = waiting.map(Postponed::value).or(() -> stored.map(found -> value(found.body())));
      postponed.put(ByteBuffer.wrap(id), new Postponed<>(change.apply(held), expiresAt));
      if (postponed.size() > MAX_POSTPONED) {
        writePostponed(id);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the postponed value if it is live. */
  private Optional<Postponed<V>> postponed(byte[] id) {
    return postponed.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(postponed.get(ByteBuffer.wrap(id))).filter(found -> records.now().isBefore(found.expiresAt()));
  }

  /** Writes the postponed value of that key; the caller holds the key's lock. */
  private void writePostponed(byte[] id) {
    ByteBuffer key = ByteBuffer.wrap(id);
    if (postponed.isEmpty() || !postponed.containsKey(key)) {
      return;
    }
    try (RocksRecords.Change change = records.change()) {
      put(change, key);
      change.commit();
    }
    postponed.remove(key);
  }

  /** Writes all postponed values; the background does so every second. */
  synchronized void writePostponed() {
    List<ByteBuffer> keys = List.copyOf(postponed.keySet());
    for (int from = 0; from < keys.size(); from += WRITTEN_TOGETHER) {
      writeTogether(keys.subList(from, Math.min(keys.size(), from + WRITTEN_TOGETHER)));
    }
  }

  /** Only this method holds the locks of several keys, so it cannot deadlock with another caller. */
  private void writeTogether(List<ByteBuffer> keys) {
    List<Lock> held = new ArrayList<>();
    try (RocksRecords.Change change = records.change()) {
      for (ByteBuffer key : keys) {
        Lock lock = records.lock(key.array());
        lock.lock();
        held.add(lock);
        put(change, key);
      }
      change.commit();
      keys.forEach(postponed::remove);
    } finally {
      held.forEach(Lock::unlock);
    }
  }

  private void put(RocksRecords.Change change, ByteBuffer key) {
    Postponed<V> waiting = postponed.get(key);
    if (waiting != null) {
      change.put(key.array(), records.read(key.array()), waiting.expiresAt(), body(waiting.value()));
    }
  }

  @Override
  public TakeResult<V> take(String key) {
    byte[] id = Bytes.digest(key);
    Lock lock = records.lock(id);
    lock.lock();
    try (RocksRecords.Change change = records.change()) {
      writePostponed(id);
      Optional<RocksRecords.Stored> found = records.readLive(id);
      if (found.isEmpty()) {
        return new TakeResult.Absent<>();
      }
      byte[] body = found.get().body();
      if (body[0] == TAKEN) {
        return new TakeResult.Replayed<>(Bytes.instant(ByteBuffer.wrap(body, 1, Bytes.INSTANT)));
      }
      byte[] tombstone = Bytes.join(new byte[] {TAKEN}, Bytes.instant(records.now()));
      change.put(id, found, found.get().expiresAt(), tombstone);
      change.commit();
      return new TakeResult.First<>(value(body));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<V> peek(String key) {
    byte[] id = Bytes.digest(key);
    return postponed(id)
        .map(Postponed::value)
        .or(() -> records.readLive(id).filter(found -> found.body()[0] == HELD).map(found -> value(found.body())));
  }

  @Override
  public void discard(String key) {
    byte[] id = Bytes.digest(key);
    Lock lock = records.lock(id);
    lock.lock();
    try (RocksRecords.Change change = records.change()) {
      writePostponed(id);
      Optional<RocksRecords.Stored> found = records.read(id).filter(stored -> stored.body()[0] == HELD);
      if (found.isPresent()) {
        change.remove(id, found.get());
        change.commit();
      }
    } finally {
      lock.unlock();
    }
  }

  private byte[] body(V value) {
    return Bytes.join(new byte[] {HELD}, codec.encode(value));
  }

  private V value(byte[] body) {
    return codec.decode(Arrays.copyOfRange(body, 1, body.length));
  }
}
