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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores single-use values in RocksDB. Keys are stored as their SHA-256: a reader of the data (or of a backup) learns no code
 * that is still valid. Taking a value overwrites it with a tombstone.
 */
final class RocksSingleUseStore<V> implements SingleUseStore<V> {

  private static final Logger LOG = LoggerFactory.getLogger(RocksSingleUseStore.class);
  private static final byte HELD = 0;
  private static final byte TAKEN = 1;

  /** Limit of postponed changes; further ones are written at once. */
  private static final int MAX_POSTPONED = 10_000;

  private static final int WRITTEN_TOGETHER = 256;

  /**
   * A postponed change of the stored value. It is made when it is written, or when somebody asks for the value: a change that
   * nobody asks about costs its caller no read.
   *
   * @param at the time of the change: a value that was live then is changed
   */
  private record Postponed<V>(Function<Optional<V>, V> change, Instant at, Instant expiresAt) {}

  private final RocksRecords records;
  private final RocksSweep sweep;
  private final ValueCodec<V> codec;

  /** Changed under the lock of the key; a change is removed only after it is written. */
  private final ConcurrentHashMap<ByteBuffer, Postponed<V>> postponed = new ConcurrentHashMap<>();

  RocksSingleUseStore(RocksEngine engine, String name, InstantSource time, ValueCodec<V> codec) {
    this.records = new RocksRecords(engine, "single-use." + name, time);
    this.sweep = new RocksSweep(records);
    this.codec = codec;
  }

  RocksRecords records() {
    return records;
  }

  RocksSweep sweep() {
    return sweep;
  }

  @Override
  public void put(String key, V value, Instant expiresAt) {
    if (!putUnless(Optional::isPresent, key, value, expiresAt)) {
      throw new IllegalStateException("The key exists or was taken");
    }
  }

  @Override
  public boolean replace(String key, V value, Instant expiresAt) {
    return putUnless(RocksSingleUseStore::isTaken, key, value, expiresAt);
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
      ByteBuffer at = ByteBuffer.wrap(id);
      Function<Optional<V>, V> whole = postponed.containsKey(at) ? both(current(id), change) : change;
      postponed.put(at, new Postponed<>(whole, records.now(), expiresAt));
      if (postponed.size() > MAX_POSTPONED) {
        writePostponed(id);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns a change that does not grow with the number of changes that are waiting. */
  private static <V> Function<Optional<V>, V> both(Optional<V> changed, Function<Optional<V>, V> next) {
    V value = next.apply(changed);
    return stored -> value;
  }

  /** Returns the value with the postponed change; empty if expired or taken. The caller holds the key's lock. */
  private Optional<V> current(byte[] id) {
    Postponed<V> waiting = postponed.get(ByteBuffer.wrap(id));
    if (waiting == null || !records.now().isBefore(waiting.expiresAt())) {
      return held(records.readLive(id));
    }
    Optional<RocksRecords.Stored> stored = records.read(id);
    Optional<RocksRecords.Stored> live = stored.filter(found -> found.isLive(waiting.at()));
    if (isTaken(live)) {
      return Optional.empty();
    }
    // A change that fails leaves the stored value with its own expiry.
    Optional<V> changed = changed(waiting, live);
    return changed.isPresent() ? changed : held(stored.filter(found -> found.isLive(records.now())));
  }

  /**
   * Returns the value after the change; empty if the change fails, and is dropped therefore. A value that cannot be read counts
   * as absent. The other changes that are waiting are written in any case.
   */
  private Optional<V> changed(Postponed<V> waiting, Optional<RocksRecords.Stored> live) {
    Optional<V> held = Optional.empty();
    try {
      held = held(live);
    } catch (RuntimeException e) {
      LOG.warn("A stored value cannot be read and is replaced", e);
    }
    try {
      return Optional.of(waiting.change().apply(held));
    } catch (RuntimeException e) {
      LOG.error("A postponed change failed and is dropped", e);
      return Optional.empty();
    }
  }

  private static boolean isTaken(Optional<RocksRecords.Stored> live) {
    return live.filter(found -> found.body()[0] == TAKEN).isPresent();
  }

  private Optional<V> held(Optional<RocksRecords.Stored> live) {
    return live.filter(found -> found.body()[0] == HELD).map(found -> value(found.body()));
  }

  /** Writes the postponed change of that key; the caller holds the key's lock. */
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

  /** Writes all postponed changes; the background does so every second. */
  synchronized void writePostponed() {
    List<ByteBuffer> keys = List.copyOf(postponed.keySet());
    for (int from = 0; from < keys.size(); from += WRITTEN_TOGETHER) {
      writeTogether(keys.subList(from, Math.min(keys.size(), from + WRITTEN_TOGETHER)));
    }
  }

  /**
   * Writes these changes except those of damaged records: a later caller with such a key gets the error. Beside this method only
   * {@link RocksSweep} holds the locks of several keys, and it waits for none meanwhile, so they cannot deadlock.
   */
  private void writeTogether(List<ByteBuffer> keys) {
    List<Lock> held = new ArrayList<>();
    List<RuntimeException> failures = new ArrayList<>();
    try (RocksRecords.Change change = records.change()) {
      for (ByteBuffer key : keys) {
        Lock lock = records.lock(key.array());
        lock.lock();
        held.add(lock);
        try {
          put(change, key);
        } catch (RuntimeException e) {
          failures.add(e);
        }
      }
      change.commit();
      keys.forEach(postponed::remove);
      if (!failures.isEmpty()) {
        LOG.error("{} postponed changes of damaged records are dropped; the first:", failures.size(), failures.getFirst());
      }
    } finally {
      held.forEach(Lock::unlock);
    }
  }

  private void put(RocksRecords.Change change, ByteBuffer key) {
    Postponed<V> waiting = postponed.get(key);
    if (waiting == null) {
      return;
    }
    Optional<RocksRecords.Stored> stored = records.read(key.array());
    Optional<RocksRecords.Stored> live = stored.filter(found -> found.isLive(waiting.at()));
    if (!isTaken(live)) {
      changed(waiting, live).ifPresent(value -> change.put(key.array(), stored, waiting.expiresAt(), body(value)));
    }
  }

  @Override
  public TakeResult<V> take(String key) {
    return takeIf(key, body -> true);
  }

  @Override
  public TakeResult<V> take(String key, Predicate<V> fits) {
    return takeIf(key, body -> fits.test(value(body)));
  }

  private TakeResult<V> takeIf(String key, Predicate<byte[]> fits) {
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
      if (!fits.test(body)) {
        return new TakeResult.Absent<>();
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
    if (postponed.isEmpty() || !postponed.containsKey(ByteBuffer.wrap(id))) {
      return held(records.readLive(id));
    }
    Lock lock = records.lock(id);
    lock.lock();
    try {
      return current(id);
    } finally {
      lock.unlock();
    }
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
