package dev.gatehouse.common.store;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Predicate;

/**
 * Single-use values in RocksDB. Keys are kept as their SHA-256: who reads the data (or a backup) learns no code that is
 * still good. A taken value is overwritten by its tombstone.
 */
final class RocksSingleUseStore<V> implements SingleUseStore<V> {

  private static final byte HELD = 0;
  private static final byte TAKEN = 1;

  private final RocksRecords records;
  private final ValueCodec<V> codec;

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
    byte[] body = Bytes.join(new byte[] {HELD}, codec.encode(value));
    Lock lock = records.lock(id);
    lock.lock();
    try (RocksRecords.Change change = records.change()) {
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
  public TakeResult<V> take(String key) {
    byte[] id = Bytes.digest(key);
    Lock lock = records.lock(id);
    lock.lock();
    try (RocksRecords.Change change = records.change()) {
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
    return records
        .readLive(Bytes.digest(key))
        .filter(found -> found.body()[0] == HELD)
        .map(found -> value(found.body()));
  }

  @Override
  public void discard(String key) {
    byte[] id = Bytes.digest(key);
    Lock lock = records.lock(id);
    lock.lock();
    try (RocksRecords.Change change = records.change()) {
      Optional<RocksRecords.Stored> found = records.read(id).filter(stored -> stored.body()[0] == HELD);
      if (found.isPresent()) {
        change.remove(id, found.get());
        change.commit();
      }
    } finally {
      lock.unlock();
    }
  }

  private V value(byte[] body) {
    return codec.decode(Arrays.copyOfRange(body, 1, body.length));
  }
}
