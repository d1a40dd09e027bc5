package dev.gatehouse.common.valkey;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.SessionKeys;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.common.valkey.SessionSeal.Raw;
import dev.gatehouse.common.valkey.SessionSeal.Stored;
import dev.gatehouse.common.valkey.SessionWrites.Attempt;
import dev.gatehouse.common.wait.Stripes;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Stores sessions in Valkey. A value has its version and its expiry in clear before what is sealed; a change is applied in Java and
 * written by a script if the version is still the same, otherwise tried again. An index entry is 8 bytes of the key's hash and the
 * session's member; readers check each session against the key itself.
 */
final class ValkeySessionStore<S extends Session> implements SessionStore<S> {

  /** An idle end that nobody can read, which only damage makes, must not be compared for ever. */
  private static final int TRIES_WITH_IDLE_END = 3;

  private static final int READ_AT_ONCE = 500;

  private final ValkeyLink link;
  private final SessionNames where;
  private final InstantSource time;
  private final SessionSeal<S> seal;
  private final ExpiryIndex<S> expiries;
  private final Expired afterwards;
  private final NearCache<S> near;
  private final SessionWrites<S> writes;
  private final PendingEnds pendingEnds;
  private final Stripes locks = new Stripes();

  /** What sessions a store has. @param afterwards what becomes of those that expire */
  record Kind<S extends Session>(ValueCodec<S> codec, Expired afterwards) {}

  ValkeySessionStore(
      ValkeyLink link, String name, Kind<S> kind, InstantSource time, NearCaches caches, PendingEnds pendingEnds) {
    this.link = link;
    this.where = new SessionNames(link.names(), name);
    this.time = time;
    this.seal = new SessionSeal<>(link.names(), where, kind.codec());
    this.expiries = new ExpiryIndex<>(link, where, seal);
    this.afterwards = kind.afterwards();
    this.pendingEnds = pendingEnds;
    this.near = caches.create(where, seal::opened, session -> !isLive(session));
    this.writes = new SessionWrites<>(link, where, seal, near);
  }

  @Override
  public void create(S session) {
    if (!writes.created(where.of(session.id()), session, time.instant())) {
      throw new IllegalStateException("The session exists: " + session.id());
    }
  }

  @Override
  public Optional<S> find(SessionId id) {
    return near.find(where.of(id)).map(Stored::session).filter(session -> counts(session, id));
  }

  @Override
  public Optional<S> peek(SessionId id) {
    return near.peek(where.of(id)).map(Stored::session).filter(session -> counts(session, id));
  }

  @Override
  public Optional<S> lastKnown(SessionId id) {
    Optional<S> known = near.lastKnown(where.of(id)).map(Stored::session).filter(session -> counts(session, id));
    return known.isPresent() ? known : find(id);
  }

  @Override
  public boolean isShared() {
    return true;
  }

  private Optional<Stored<S>> read(SessionNames.Place place) {
    List<KeyValue<byte[], byte[]>> both = link.read(server -> server.mget(place.key(), where.idleOf(place.member())));
    return both.getFirst().hasValue()
        ? seal.opened(place.memberText(), new Raw(both.getFirst().getValue(), both.getLast().getValueOrElse(null)))
        : Optional.empty();
  }

  private boolean counts(S session, SessionId id) {
    return session.id().equals(id) && isLive(session) && !pendingEnds.contains(where.store(), id);
  }

  private boolean isLive(Session session) {
    return time.instant().isBefore(session.expiresAt());
  }

  @Override
  public Optional<S> update(SessionId id, UnaryOperator<S> change) {
    SessionNames.Place place = where.of(id);
    ReentrantLock lock = lock(place);
    lock.lock();
    try {
      Attempt<S> fromMemory = updatedFromMemory(place, id, change);
      if (fromMemory.changed().isPresent()) {
        return fromMemory.changed();
      }
      Optional<Stored<S>> found = fromMemory.found();
      for (int tries = 1; true; tries++) {
        Optional<Stored<S>> before = found.or(() -> read(place)).filter(stored -> counts(stored.session(), id));
        found = Optional.empty();
        if (before.isEmpty()) {
          return Optional.empty();
        }
        S changed = change.apply(before.get().session());
        SessionKeys.requireSame(before.get().session(), changed);
        if (changed.equals(before.get().session())) {
          // Perhaps another node touched it: what is in memory has an earlier idle end.
          near.forget(place.memberText());
          near.written().remove(place);
          return before.map(Stored::session);
        }
        if (writes.replaced(place, before.get(), changed, tries <= TRIES_WITH_IDLE_END)) {
          return Optional.of(changed).filter(this::isLive);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Changes what this node has in memory without reading it again, which is half of the work of a sign-on. The script refuses if the value
   * or its idle end is another one by now, and returns it. A touch, and a change that changes nothing, depend on the idle end alone: these
   * read.
   */
  private Attempt<S> updatedFromMemory(SessionNames.Place place, SessionId id, UnaryOperator<S> change) {
    Optional<Stored<S>> before = near.lastKnown(place).filter(stored -> counts(stored.session(), id));
    if (before.isPresent()) {
      S known = before.get().session();
      S changed = change.apply(known);
      SessionKeys.requireSame(known, changed);
      if (!SessionWrites.isTouch(known, changed) && isLive(changed)) {
        return writes.attempt(place, before.get(), changed);
      }
    }
    return new Attempt<>(Optional.empty(), Optional.empty());
  }

  /**
   * {@inheritDoc}
   *
   * <p>If no server answers, the end of a session that this node still serves counts here at once, is kept on disk and delivered later;
   * other nodes may end the same session meanwhile.
   */
  @Override
  public Optional<S> end(SessionId id) {
    if (pendingEnds.contains(where.store(), id)) {
      return Optional.empty();
    }
    // Before the try to write, after which nothing that was read counts.
    Optional<S> served = near.stale(where.of(id)).map(Stored::session).filter(session -> counts(session, id));
    try {
      return removed(id, true);
    } catch (StoreUnavailable e) {
      S session = served.orElseThrow(() -> e);
      boolean isFirst = pendingEnds.add(where.store(), id);
      near.forget(where.of(id).memberText());
      return Optional.of(session).filter(_ -> isFirst);
    }
  }

  /**
   * Delivers the ends that no server took. A session whose end others must be told of expires now, so that its expiry tells them. One that a
   * node of a newer version has changed since, so that this one cannot read it, waits until it can, or until the session is gone.
   */
  void deliverEnds() {
    for (PendingEnds.End end : pendingEnds.of(where.store())) {
      SessionNames.Place place = where.of(end.id());
      if (read(place).isEmpty() && link.read(server -> server.exists(place.key())) > 0) {
        continue;
      }
      if (afterwards == Expired.FORGOTTEN || !expiredNow(end.id())) {
        removed(end.id(), true);
      }
      pendingEnds.delivered(end);
    }
  }

  /** Lets a live session expire now; returns whether sessions of this kind can. */
  private boolean expiredNow(SessionId id) {
    SessionNames.Place place = where.of(id);
    while (true) {
      Optional<Stored<S>> before = read(place).filter(stored -> stored.session().id().equals(id) && isLive(stored.session()));
      if (before.isEmpty()) {
        return true;
      }
      S over = seal.expiring(before.get().session(), time.instant());
      if (isLive(over)) {
        return false;
      }
      // Not as a touch, of which other nodes are not told.
      if (writes.rewritten(place, before.get(), over)) {
        return true;
      }
    }
  }

  @Override
  public Optional<S> endExpired(SessionId id) {
    return removed(id, false);
  }

  private Optional<S> removed(SessionId id, boolean live) {
    SessionNames.Place place = where.of(id);
    ReentrantLock lock = lock(place);
    lock.lock();
    try {
      // By its version alone, which what is in memory has too.
      Optional<Stored<S>> before = live ? near.peek(place).filter(stored -> counts(stored.session(), id)) : Optional.empty();
      if (before.isPresent() && writes.removed(place, before.get())) {
        return before.map(Stored::session);
      }
      for (int tries = 1; ; tries++) {
        before = read(place).filter(stored -> stored.session().id().equals(id) && isLive(stored.session()) == live);
        if (before.isEmpty()) {
          return Optional.empty();
        }
        // One that is over by the clock of this node may be touched at another node, and lives then.
        boolean isAsKnown = !live && tries <= TRIES_WITH_IDLE_END;
        if (isAsKnown ? writes.removedAsKnown(place, before.get()) : writes.removed(place, before.get())) {
          return before.map(Stored::session);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<S> byPerson(String realm, PersonId person) {
    return indexed(SessionKeys.person(realm, person));
  }

  @Override
  public List<S> byIndex(String indexKey) {
    return indexed(SessionKeys.index(indexKey));
  }

  private List<S> indexed(String key) {
    byte[] hash = where.hash(key);
    List<byte[]> entries = link.read(server -> server.zrangebylex(where.bucket(hash), SessionNames.startingWith(hash)));
    return sessions(entries.stream().map(SessionNames::memberOf).toList())
        .filter(session -> counts(session, session.id()) && where.indexKeys(session).contains(key))
        .toList();
  }

  @Override
  public List<S> page(String realm, String after, int limit) {
    List<S> page = new ArrayList<>();
    Range.Boundary<byte[]> from = after.isEmpty() ? Range.Boundary.unbounded() : Range.Boundary.excluding(SessionNames.member(after));
    while (page.size() < limit) {
      Range<byte[]> range = Range.from(from, Range.Boundary.unbounded());
      int wanted = Math.min(READ_AT_ONCE, limit - page.size());
      List<byte[]> members = link.read(server -> server.zrangebylex(where.realm(realm), range, Limit.from(wanted)));
      sessions(members).filter(session -> counts(session, session.id()) && session.realm().equals(realm)).forEach(page::add);
      if (members.size() < wanted) {
        break;
      }
      from = Range.Boundary.excluding(members.getLast());
    }
    return page;
  }

  @Override
  public List<S> expired(int limit) {
    return afterwards == Expired.KEPT ? expiries.before(time.instant(), limit).readable() : List.of();
  }

  /** Removes some of the sessions that expired before that time, if nobody must be told. Returns whether there may be more. */
  boolean sweep(Instant before, int most) {
    ExpiryIndex.Found<S> over = expiries.before(before, most);
    int removed = expiries.removeUnreadable(over, afterwards == Expired.KEPT ? before.minus(ExpiryIndex.UNREADABLE_KEPT) : before);
    if (afterwards == Expired.KEPT) {
      return false;
    }
    for (S session : over.readable()) {
      SessionNames.Place place = where.of(session.id());
      read(place).filter(stored -> !isLive(stored.session())).ifPresent(stored -> writes.removedAsKnown(place, stored));
    }
    return over.mayBeMore() && removed + over.readable().size() > 0;
  }

  private Stream<S> sessions(List<byte[]> members) {
    List<Stored<S>> found = new ArrayList<>();
    for (int from = 0; from < members.size(); from += READ_AT_ONCE) {
      List<byte[]> part = members.subList(from, Math.min(members.size(), from + READ_AT_ONCE));
      byte[][] keys = part.stream().flatMap(member -> Stream.of(where.keyOf(member), where.idleOf(member))).toArray(byte[][]::new);
      List<KeyValue<byte[], byte[]>> values = link.read(server -> server.mget(keys));
      for (int i = 0; i < part.size(); i++) {
        KeyValue<byte[], byte[]> value = values.get(2 * i);
        if (value.hasValue()) {
          Raw raw = new Raw(value.getValue(), values.get(2 * i + 1).getValueOrElse(null));
          seal.opened(SessionNames.text(part.get(i)), raw).ifPresent(found::add);
        }
      }
    }
    return found.stream().map(Stored::session);
  }

  @Override
  public long count() {
    return link.read(server -> server.zcard(where.expiries()));
  }

  private ReentrantLock lock(SessionNames.Place place) {
    return locks.of(place.memberText());
  }
}
