package dev.gatehouse.common.store;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.RocksRecords.StoredSession;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores sessions in RocksDB. Index keys are {@code 'i'}, 16 bytes of the SHA-256 of the key, and the session's id; they change
 * in the same write as the session. Readers of an index take no lock and check each session against the key itself, because two
 * keys may have the same hash.
 */
final class RocksSessionStore<S extends Session> implements SessionStore<S> {

  private static final Logger LOG = LoggerFactory.getLogger(RocksSessionStore.class);
  private static final int INDEX_PREFIX = 1 + 16;
  private static final int SCANNED_AT_ONCE = 256;
  private static final int MAX_CACHED = 4_000;

  private final RocksRecords records;
  private final RocksSweep sweep;
  private final ValueCodec<S> codec;
  private final Expired afterwards;

  /**
   * The number of records, which rises before their creation is acknowledged and falls after they were removed: where it is zero, RocksDB
   * need not be asked. Each login asks stores of what few nodes have, such as marks of logouts.
   */
  private final AtomicLong count;

  /** Whether a change failed, which may have been written all the same: then the number may be too low. */
  private volatile boolean isUncertain;

  /**
   * Caches sessions that were read or written recently: a login reads and changes its session several times within seconds. Whoever
   * changes a session puts or removes it here before it releases the session's lock, and waits for a read under way: readers find every
   * acknowledged write, and who has the lock what is stored. The calling threads maintain it: waking another one costs more.
   */
  private final ConcurrentMap<SessionId, StoredSession<S>> cache =
      Caffeine.newBuilder().maximumSize(MAX_CACHED).executor(Runnable::run).<SessionId, StoredSession<S>>build().asMap();

  RocksSessionStore(RocksEngine engine, String name, InstantSource time, ValueCodec<S> codec, Expired afterwards) {
    this.records = new RocksRecords(engine, "sessions." + name, time);
    this.sweep = new RocksSweep(records, afterwards, new Expiry());
    this.codec = codec;
    this.afterwards = afterwards;
    this.count = new AtomicLong(records.count());
  }

  RocksRecords records() {
    return records;
  }

  RocksSweep sweep() {
    return sweep;
  }

  @Override
  public void create(S session) {
    byte[] key = key(session.id());
    Lock lock = records.lock(key);
    lock.lock();
    try (RocksRecords.Change change = records.change()) {
      Optional<RocksRecords.Stored> before = records.read(key);
      if (before.isPresent() && before.get().isLive(records.now())) {
        throw new IllegalStateException("The session exists: " + session.id());
      }
      before.ifPresent(old -> indexKeys(key, old.body()).forEach(change::unmark));
      RocksRecords.Stored stored = change.put(key, before, session.expiresAt(), codec.encode(session));
      for (String indexed : SessionKeys.all(session)) {
        change.mark(indexKey(indexed, key));
      }
      commit(change, session.id(), Optional.of(stored));
      if (before.isEmpty()) {
        count.incrementAndGet();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isEmpty() {
    return count.get() == 0 && !isUncertain;
  }

  @Override
  public Optional<S> find(SessionId id) {
    if (isEmpty()) {
      return Optional.empty();
    }
    @Nullable StoredSession<S> stored = cache.computeIfAbsent(id, this::read);
    if (stored == null) {
      return Optional.empty();
    }
    Optional<S> session = unpacked(id, stored);
    if (stored instanceof StoredSession.Packed<S> && session.isPresent()) {
      // Does nothing if the session was changed meanwhile.
      cache.replace(id, stored, new StoredSession.Unpacked<>(stored.expiresAt(), stored.due(), session.get()));
    }
    return session.filter(found -> records.now().isBefore(found.expiresAt()));
  }

  private @Nullable StoredSession<S> read(SessionId id) {
    return records.readLive(key(id)).<StoredSession<S>>map(stored -> new StoredSession.Packed<>(stored)).orElse(null);
  }

  /** Returns what is stored and has not expired, to a caller that holds the lock. */
  private Optional<StoredSession<S>> live(SessionId id, byte[] key) {
    @Nullable StoredSession<S> cached = cache.get(id);
    Optional<StoredSession<S>> stored =
        cached == null ? records.read(key).map(found -> new StoredSession.Packed<>(found)) : Optional.of(cached);
    return stored.filter(found -> found.isLive(records.now()));
  }

  private Optional<S> unpacked(SessionId id, StoredSession<S> stored) {
    return switch (stored) {
      case StoredSession.Packed<S>(RocksRecords.Stored packed) -> readable(id, packed.body());
      case StoredSession.Unpacked<S> unpacked -> Optional.of(unpacked.session());
    };
  }

  /**
   * Writes a change of a session.
   *
   * @param stored the session after it; empty if it is removed
   */
  private void commit(RocksRecords.Change change, SessionId id, Optional<RocksRecords.Stored> stored) {
    boolean isDone = false;
    try {
      change.commit();
      stored.ifPresentOrElse(now -> cache.put(id, new StoredSession.Packed<>(now)), () -> cache.remove(id));
      isDone = true;
    } finally {
      if (!isDone) {
        // Whoever asks next reads what is stored.
        isUncertain = true;
        cache.remove(id);
      }
    }
  }

  /**
   * Decodes a session. A session that this version cannot read (a newer version wrote it before it was rolled back) counts as
   * ended: its person logs in again, and queries for many sessions find the others. It is removed when it expires.
   */
  private Optional<S> readable(SessionId id, byte[] body) {
    try {
      return Optional.of(codec.decode(body));
    } catch (IllegalArgumentException e) {
      LOG.warn("Session {} cannot be read and counts as ended", id, e);
      return Optional.empty();
    }
  }

  @Override
  public Optional<S> update(SessionId id, UnaryOperator<S> operator) {
    if (isEmpty()) {
      return Optional.empty();
    }
    byte[] key = key(id);
    Lock lock = records.lock(key);
    lock.lock();
    try (RocksRecords.Change change = records.change()) {
      Optional<StoredSession<S>> before = live(id, key);
      Optional<S> old = before.flatMap(stored -> unpacked(id, stored));
      if (old.isEmpty()) {
        return Optional.empty();
      }
      S changed = operator.apply(old.get());
      SessionKeys.requireSame(old.get(), changed);
      RocksRecords.Stored stored = change.put(key, before, changed.expiresAt(), codec.encode(changed));
      reindex(change, key, old.get(), changed);
      commit(change, id, Optional.of(stored));
      return records.now().isBefore(changed.expiresAt()) ? Optional.of(changed) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<S> end(SessionId id) {
    if (isEmpty()) {
      return Optional.empty();
    }
    byte[] key = key(id);
    Lock lock = records.lock(key);
    lock.lock();
    try (RocksRecords.Change change = records.change()) {
      return live(id, key).flatMap(stored -> remove(change, id, key, stored));
    } finally {
      lock.unlock();
    }
  }

  private Optional<S> remove(RocksRecords.Change change, SessionId id, byte[] key, StoredSession<S> stored) {
    Optional<S> session = unpacked(id, stored);
    change.remove(key, stored);
    session.ifPresent(ended -> indexKeys(key, ended).forEach(change::unmark));
    commit(change, id, Optional.empty());
    count.decrementAndGet();
    return session;
  }

  @Override
  public List<S> expired(int limit) {
    if (afterwards == Expired.FORGOTTEN) {
      return List.of();
    }
    List<S> found = new ArrayList<>();
    for (byte[] key : sweep.expired(limit)) {
      SessionId id = new SessionId(new String(key, StandardCharsets.UTF_8));
      Optional<S> session = records.read(key).flatMap(stored -> readable(id, stored.body()));
      session.ifPresentOrElse(found::add, () -> endExpired(id));
    }
    return List.copyOf(found);
  }

  @Override
  public Optional<S> endExpired(SessionId id) {
    byte[] key = key(id);
    Lock lock = records.lock(key);
    lock.lock();
    try (RocksRecords.Change change = records.change()) {
      return records.read(key)
          .filter(found -> !found.isLive(records.now()))
          .flatMap(found -> remove(change, id, key, new StoredSession.Packed<>(found)));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<S> byPerson(String realm, PersonId person) {
    return scan(
        SessionKeys.person(realm, person), "", Integer.MAX_VALUE, session -> session.realm().equals(realm) && session.person().equals(person));
  }

  @Override
  public List<S> byIndex(String indexKey) {
    return scan(SessionKeys.index(indexKey), "", Integer.MAX_VALUE, session -> session.indexKeys().contains(indexKey));
  }

  @Override
  public List<S> page(String realm, String after, int limit) {
    return scan(SessionKeys.realm(realm), after, limit, session -> session.realm().equals(realm));
  }

  @Override
  public long count() {
    return count.get();
  }

  private List<S> scan(String indexed, String after, int limit, Predicate<S> fits) {
    if (isEmpty()) {
      return List.of();
    }
    byte[] prefix = indexKey(indexed, new byte[0]);
    byte[] from = after.isEmpty() ? prefix : Bytes.following(indexKey(indexed, Bytes.utf8(after)));
    List<S> found = new ArrayList<>();
    while (found.size() < limit) {
      int wanted = Math.min(SCANNED_AT_ONCE, limit - found.size());
      List<byte[]> keys = records.keys(prefix, from, wanted);
      for (byte[] key : keys) {
        find(id(key)).filter(fits).ifPresent(found::add);
      }
      if (keys.size() < wanted) {
        break;
      }
      from = Bytes.following(keys.getLast());
    }
    return found;
  }

  private void reindex(RocksRecords.Change change, byte[] key, S before, S after) {
    Set<String> old = new HashSet<>(SessionKeys.all(before));
    Set<String> now = new HashSet<>(SessionKeys.all(after));
    for (String gone : old) {
      if (!now.contains(gone)) {
        change.unmark(indexKey(gone, key));
      }
    }
    for (String added : now) {
      if (!old.contains(added)) {
        change.mark(indexKey(added, key));
      }
    }
  }

  /** Returns the index keys of an expired session. Those of a session that cannot be read stay and lead nowhere. */
  private List<byte[]> indexKeys(byte[] key, byte[] body) {
    try {
      return indexKeys(key, codec.decode(body));
    } catch (IllegalArgumentException e) {
      LOG.warn("An expired session cannot be read; its index keys stay", e);
      return List.of();
    }
  }

  private List<byte[]> indexKeys(byte[] key, S session) {
    return SessionKeys.all(session).stream().map(indexed -> indexKey(indexed, key)).toList();
  }

  /** The index, the cache and the number of sessions follow what the sweeper removes; the cache also what it moves. */
  private final class Expiry implements RocksSweep.OnExpiry {
    @Override
    public List<byte[]> keysOf(byte[] key, byte[] body) {
      return indexKeys(key, body);
    }

    @Override
    public void changed(byte[] key) {
      cache.remove(new SessionId(new String(key, StandardCharsets.UTF_8)));
    }

    @Override
    public void removed(int records) {
      count.addAndGet(-records);
    }
  }

  private static byte[] key(SessionId id) {
    return Bytes.utf8(id.value());
  }

  private static SessionId id(byte[] indexKey) {
    return new SessionId(new String(indexKey, INDEX_PREFIX, indexKey.length - INDEX_PREFIX, StandardCharsets.UTF_8));
  }

  private static byte[] indexKey(String indexed, byte[] key) {
    return Bytes.prefixed('i', Arrays.copyOf(Bytes.digest(indexed), INDEX_PREFIX - 1), key);
  }
}
