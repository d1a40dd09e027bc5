package dev.gatehouse.common.store;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Sessions in memory: for tests and {@code storage: volatile}. Full is {@link StoreUnavailable}.
 *
 * <p>A session and its index entries change together under the map's lock on its id. Readers of an index take no lock and
 * check each session they find against what they asked for.
 */
public final class MemorySessionStore<S extends Session> implements SessionStore<S> {

  private record Held<S>(S session, Deadlines.Due<SessionId> due) {}

  /** Sorted by key, then id, so that all ids of a key stand together, in order. */
  private record IndexEntry(String key, String id) implements Comparable<IndexEntry> {
    private static final Comparator<IndexEntry> ORDER =
        Comparator.comparing(IndexEntry::key).thenComparing(IndexEntry::id);

    @Override
    public int compareTo(IndexEntry other) {
      return ORDER.compare(this, other);
    }
  }

  private final InstantSource time;
  private final int capacity;
  private final Expired afterwards;
  private final ConcurrentHashMap<SessionId, Held<S>> sessions = new ConcurrentHashMap<>();
  private final ConcurrentSkipListSet<IndexEntry> index = new ConcurrentSkipListSet<>();
  private final Deadlines<SessionId> deadlines = new Deadlines<>();

  /** @param capacity sessions at most */
  public MemorySessionStore(InstantSource time, int capacity, Expired afterwards) {
    this.time = time;
    this.capacity = capacity;
    this.afterwards = afterwards;
  }

  @Override
  public void create(S session) {
    Instant now = time.instant();
    if (afterwards == Expired.FORGOTTEN) {
      deadlines.sweep(now, id -> removeExpired(id, now));
    }
    if (sessions.size() >= capacity) {
      throw new StoreUnavailable("The memory store is full: " + capacity + " sessions");
    }
    sessions.compute(
        session.id(),
        (id, old) -> {
          if (old != null && isLive(old.session(), now)) {
            throw new IllegalStateException("The session exists: " + id);
          }
          if (old != null) {
            forget(old);
          }
          return remember(session);
        });
  }

  @Override
  public Optional<S> find(SessionId id) {
    Held<S> held = sessions.get(id);
    return held != null && isLive(held.session(), time.instant()) ? Optional.of(held.session()) : Optional.empty();
  }

  @Override
  public Optional<S> update(SessionId id, UnaryOperator<S> change) {
    Instant now = time.instant();
    Held<S> after =
        sessions.computeIfPresent(
            id,
            (key, held) -> {
              if (!isLive(held.session(), now)) {
                return held;
              }
              S changed = change.apply(held.session());
              SessionKeys.requireSame(held.session(), changed);
              forget(held);
              return remember(changed);
            });
    return after != null && isLive(after.session(), now) ? Optional.of(after.session()) : Optional.empty();
  }

  @Override
  public Optional<S> end(SessionId id) {
    Instant now = time.instant();
    List<S> ended = new ArrayList<>(1);
    sessions.computeIfPresent(
        id,
        (key, held) -> {
          if (!isLive(held.session(), now)) {
            return held;
          }
          forget(held);
          ended.add(held.session());
          return null;
        });
    return ended.stream().findFirst();
  }

  @Override
  public List<S> expired(int most) {
    if (afterwards == Expired.FORGOTTEN) {
      return List.of();
    }
    Instant now = time.instant();
    List<S> found = new ArrayList<>();
    for (SessionId id : deadlines.due(now, most)) {
      Held<S> held = sessions.get(id);
      if (held != null && !isLive(held.session(), now)) {
        found.add(held.session());
      }
    }
    return List.copyOf(found);
  }

  @Override
  public Optional<S> endExpired(SessionId id) {
    Held<S> held = sessions.get(id);
    return held != null && removeExpired(id, time.instant()) ? Optional.of(held.session()) : Optional.empty();
  }

  @Override
  public List<S> byPerson(String realm, PersonId person) {
    return scan(
        SessionKeys.person(realm, person),
        "",
        Integer.MAX_VALUE,
        session -> session.realm().equals(realm) && session.person().equals(person));
  }

  @Override
  public List<S> byIndex(String indexKey) {
    return scan(
        SessionKeys.index(indexKey), "", Integer.MAX_VALUE, session -> session.indexKeys().contains(indexKey));
  }

  @Override
  public List<S> page(String realm, String after, int most) {
    return scan(SessionKeys.realm(realm), after, most, session -> session.realm().equals(realm));
  }

  @Override
  public long count() {
    if (afterwards == Expired.FORGOTTEN) {
      Instant now = time.instant();
      deadlines.sweepAll(now, id -> removeExpired(id, now));
    }
    return sessions.size();
  }

  private List<S> scan(String key, String after, int most, Predicate<S> fits) {
    List<S> found = new ArrayList<>();
    for (IndexEntry entry : index.tailSet(new IndexEntry(key, after), false)) {
      if (found.size() == most || !entry.key().equals(key)) {
        break;
      }
      find(new SessionId(entry.id())).filter(fits).ifPresent(found::add);
    }
    return found;
  }

  private Held<S> remember(S session) {
    for (String key : SessionKeys.all(session)) {
      index.add(new IndexEntry(key, session.id().value()));
    }
    return new Held<>(session, deadlines.add(session.id(), session.expiresAt()));
  }

  private void forget(Held<S> held) {
    deadlines.remove(held.due());
    for (String key : SessionKeys.all(held.session())) {
      index.remove(new IndexEntry(key, held.session().id().value()));
    }
  }

  /** Whether it was there, expired, and this call removed it. */
  private boolean removeExpired(SessionId id, Instant now) {
    AtomicBoolean removed = new AtomicBoolean();
    sessions.computeIfPresent(
        id,
        (key, held) -> {
          if (isLive(held.session(), now)) {
            return held;
          }
          forget(held);
          removed.set(true);
          return null;
        });
    return removed.get();
  }

  private boolean isLive(S session, Instant now) {
    return now.isBefore(session.expiresAt());
  }
}
