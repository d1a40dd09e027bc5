package dev.gatehouse.common.store;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Stores for tests, as plain as the contracts allow: a map and a lock each. A node in memory has RocksDB instead, which takes forty
 * milliseconds to create. Values pass through their codecs. What has expired stays, but is not returned.
 */
public final class MemoryStores implements Stores {

  private final InstantSource time;
  private final KeySpaces keySpaces = new KeySpaces();
  private final ReplayCache replayCache;

  public MemoryStores(InstantSource time) {
    this.time = time;
    this.replayCache = new Replay(time, new HashMap<>(), time.instant());
  }

  @Override
  public <S extends Session> SessionStore<S> sessions(String name, ValueCodec<S> codec, Expired expired) {
    keySpaces.claim(name);
    return new Sessions<>(time, codec, expired, new TreeMap<>());
  }

  @Override
  public <V> SingleUseStore<V> singleUse(String name, ValueCodec<V> codec) {
    keySpaces.claim(name);
    return new SingleUse<>(time, codec, new HashMap<>());
  }

  @Override
  public <V> DueStore<V> due(String name, ValueCodec<V> codec) {
    keySpaces.claim(name);
    return new Due<>(time, codec, new TreeMap<>());
  }

  @Override
  public ReplayCache replayCache() {
    return replayCache;
  }

  private record Sessions<S extends Session>(
      InstantSource time, ValueCodec<S> codec, Expired afterwards, TreeMap<String, S> sessions)
      implements SessionStore<S> {

    private boolean isLive(S session) {
      return time.instant().isBefore(session.expiresAt());
    }

    private S stored(S session) {
      S copy = codec.decode(codec.encode(session));
      sessions.put(session.id().value(), copy);
      return copy;
    }

    @Override
    public synchronized void create(S session) {
      if (find(session.id()).isPresent()) {
        throw new IllegalStateException("The session exists: " + session.id());
      }
      stored(session);
    }

    @Override
    public synchronized Optional<S> find(SessionId id) {
      return Optional.ofNullable(sessions.get(id.value())).filter(this::isLive);
    }

    @Override
    public synchronized Optional<S> update(SessionId id, UnaryOperator<S> change) {
      Optional<S> before = find(id);
      if (before.isEmpty()) {
        return Optional.empty();
      }
      S changed = change.apply(before.get());
      SessionKeys.requireSame(before.get(), changed);
      return Optional.of(stored(changed)).filter(this::isLive);
    }

    @Override
    public synchronized Optional<S> end(SessionId id) {
      Optional<S> live = find(id);
      live.ifPresent(session -> sessions.remove(id.value()));
      return live;
    }

    @Override
    public List<S> byPerson(String realm, PersonId person) {
      return live("", session -> session.realm().equals(realm) && session.person().equals(person));
    }

    @Override
    public List<S> byIndex(String indexKey) {
      return live("", session -> session.indexKeys().contains(indexKey));
    }

    @Override
    public List<S> page(String realm, String after, int limit) {
      return live(after, session -> session.realm().equals(realm)).stream().limit(limit).toList();
    }

    private synchronized List<S> live(String after, Predicate<S> fits) {
      return sessions.tailMap(after, false).values().stream().filter(this::isLive).filter(fits).toList();
    }

    @Override
    public synchronized List<S> expired(int limit) {
      Stream<S> all = afterwards == Expired.KEPT ? sessions.values().stream() : Stream.of();
      return all.filter(session -> !isLive(session)).sorted(Comparator.comparing(Session::expiresAt)).limit(limit).toList();
    }

    @Override
    public synchronized Optional<S> endExpired(SessionId id) {
      Optional<S> expired = Optional.ofNullable(sessions.get(id.value())).filter(session -> !isLive(session));
      expired.ifPresent(session -> sessions.remove(id.value()));
      return expired;
    }

    @Override
    public synchronized long count() {
      return afterwards == Expired.KEPT ? sessions.size() : live("", session -> true).size();
    }
  }

  /** @param takenAt empty until it is taken */
  private record Slot(byte[] value, Instant expiresAt, Optional<Instant> takenAt) {}

  private record SingleUse<V>(InstantSource time, ValueCodec<V> codec, Map<String, Slot> slots)
      implements SingleUseStore<V> {

    private Optional<Slot> live(String key) {
      return Optional.ofNullable(slots.get(key)).filter(slot -> time.instant().isBefore(slot.expiresAt()));
    }

    private void store(String key, V value, Instant expiresAt) {
      slots.put(key, new Slot(codec.encode(value), expiresAt, Optional.empty()));
    }

    @Override
    public synchronized void put(String key, V value, Instant expiresAt) {
      if (live(key).isPresent()) {
        throw new IllegalStateException("The key exists or was taken");
      }
      store(key, value, expiresAt);
    }

    @Override
    public synchronized boolean replace(String key, V value, Instant expiresAt) {
      if (live(key).flatMap(Slot::takenAt).isPresent()) {
        return false;
      }
      store(key, value, expiresAt);
      return true;
    }

    @Override
    public synchronized void updateLater(String key, Function<Optional<V>, V> change, Instant expiresAt) {
      if (live(key).flatMap(Slot::takenAt).isEmpty()) {
        store(key, change.apply(peek(key)), expiresAt);
      }
    }

    @Override
    public synchronized TakeResult<V> take(String key) {
      Optional<Slot> live = live(key);
      if (live.isEmpty()) {
        return new TakeResult.Absent<>();
      }
      Slot slot = live.get();
      if (slot.takenAt().isPresent()) {
        return new TakeResult.Replayed<>(slot.takenAt().get());
      }
      slots.put(key, new Slot(new byte[0], slot.expiresAt(), Optional.of(time.instant())));
      return new TakeResult.First<>(codec.decode(slot.value()));
    }

    @Override
    public synchronized Optional<V> peek(String key) {
      return live(key).filter(slot -> slot.takenAt().isEmpty()).map(slot -> codec.decode(slot.value()));
    }

    @Override
    public synchronized void discard(String key) {
      live(key).filter(slot -> slot.takenAt().isEmpty()).ifPresent(slot -> slots.remove(key));
    }
  }

  private record Due<V>(InstantSource time, ValueCodec<V> codec, TreeMap<String, Work<V>> all) implements DueStore<V> {

    private Work<V> put(String key, String group, V value, Instant due) {
      Work<V> work = new Work<>(key, group, codec.decode(codec.encode(value)), due.truncatedTo(ChronoUnit.MILLIS));
      all.put(key, work);
      return work;
    }

    @Override
    public synchronized boolean add(Work<V> work) {
      if (all.containsKey(work.key())) {
        return false;
      }
      put(work.key(), work.group(), work.value(), work.due());
      return true;
    }

    @Override
    public synchronized List<Work<V>> claim(int limit, Duration lease) {
      Instant now = time.instant();
      return all.values().stream()
          .filter(work -> !now.isBefore(work.due()))
          .sorted(Comparator.<Work<V>, Instant>comparing(Work::due).thenComparing(Work::key))
          .limit(limit)
          .toList()
          .stream()
          .map(work -> put(work.key(), work.group(), work.value(), now.plus(lease)))
          .toList();
    }

    @Override
    public synchronized boolean replace(String key, V value, Instant due) {
      Optional<Work<V>> before = find(key);
      before.ifPresent(work -> put(key, work.group(), value, due));
      return before.isPresent();
    }

    @Override
    public synchronized boolean remove(String key) {
      return all.remove(key) != null;
    }

    @Override
    public synchronized Optional<Work<V>> find(String key) {
      return Optional.ofNullable(all.get(key));
    }

    @Override
    public synchronized List<Work<V>> page(String group, String after, int limit) {
      return all.tailMap(after, false).values().stream()
          .filter(work -> work.group().equals(group))
          .limit(limit)
          .toList();
    }

    @Override
    public synchronized long count(String group) {
      return all.values().stream().filter(work -> work.group().equals(group)).count();
    }

    @Override
    public synchronized long count() {
      return all.size();
    }
  }

  private record Replay(InstantSource time, Map<ReplayKey, Instant> marks, Instant completeSince)
      implements ReplayCache {

    @Override
    public synchronized boolean firstSeen(ReplayKey key, Instant expiresAt) {
      if (isMarked(key)) {
        return false;
      }
      marks.put(key, expiresAt);
      return true;
    }

    @Override
    public synchronized boolean isMarked(ReplayKey key) {
      return time.instant().isBefore(marks.getOrDefault(key, Instant.MIN));
    }
  }
}
