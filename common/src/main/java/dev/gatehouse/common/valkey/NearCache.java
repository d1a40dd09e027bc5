package dev.gatehouse.common.valkey;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.valkey.NearEntries.Entry;
import dev.gatehouse.common.valkey.NearEntries.Name;
import dev.gatehouse.common.valkey.SessionSeal.Raw;
import dev.gatehouse.common.valkey.SessionSeal.Stored;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that this node has read, in memory. An entry counts only while nothing that shares its counter was changed since before it was
 * read: a value whose invalidation arrives while the value is still on its way is never taken for current. The server reports changes by
 * other nodes; this node's own changes count before their callers return. What one reader has missed no other one puts back.
 *
 * <p>While no server answers, an entry counts until {@code staleness} after the loss of its connection was noticed, also if there was
 * another connection in between: what ended then at another node is not known here, and counts after that time at the latest.
 */
final class NearCache<S extends Session> {

  private static final int COUNTERS = 1 << 16;

  private final NearCaches caches;
  private final SessionNames names;
  private final BiFunction<String, Raw, Optional<Stored<S>>> open;
  /** Tells of a session that is over unless another node has prolonged it. */
  private final Predicate<S> isOver;

  private final AtomicIntegerArray changes = new AtomicIntegerArray(COUNTERS);
  /** Apart from the changes: names that somebody invented must not make entries of others uncounted, only a read of the same moment. */
  private final AtomicIntegerArray misses = new AtomicIntegerArray(COUNTERS);
  private final NearEntries entries;
  private final String kind;
  private final WrittenSessions<S> written = new WrittenSessions<>(WrittenSessions.room(Runtime.getRuntime().maxMemory()));

  NearCache(
      NearCaches caches, SessionNames names, BiFunction<String, Raw, Optional<Stored<S>>> open, Predicate<S> isOver) {
    this.caches = caches;
    this.entries = caches.entries();
    this.kind = names.prefix();
    this.names = names;
    this.open = open;
    this.isOver = isOver;
  }

  /** Sessions as this node wrote them lately, which count once their value was read. */
  WrittenSessions<S> written() {
    return written;
  }

  /** Returns the session if it counts without asking. */
  Optional<Stored<S>> peek(SessionNames.Place place) {
    @Nullable Entry<S> entry = entry(place.memberText());
    return entry != null && counts(place.memberText(), entry) ? Optional.of(entry.stored()) : Optional.empty();
  }

  @SuppressWarnings("unchecked") // Names of a kind are put by its own cache alone.
  private @Nullable Entry<S> entry(String member) {
    return (Entry<S>) entries.find(name(member));
  }

  private Name name(String member) {
    return new Name(kind, member);
  }

  /**
   * Returns the session as this node read or wrote it last, if it has it in memory; another node may have changed or ended it: only for a
   * write that the server compares.
   */
  Optional<Stored<S>> lastKnown(SessionNames.Place place) {
    return peek(place)
        .or(() -> written.find(place).filter(known -> known.epoch() == epoch()).map(WrittenSessions.Written::stored));
  }

  /** Returns the number of the unbroken connection: after it another server may be the primary, which does not have the last writes. */
  private long epoch() {
    return caches.epoch();
  }

  /** Returns the number of the connection; empty before a write was acknowledged that proves it. */
  Optional<Long> confirmedEpoch() {
    long epoch = epoch();
    return caches.link().isConfirmed() ? Optional.of(epoch) : Optional.empty();
  }

  private boolean counts(String member, Entry<S> entry) {
    return isUnchanged(member, entry) && entry.epoch() == epoch() && caches.link().hearsChanges();
  }

  Optional<Stored<S>> find(SessionNames.Place place) {
    String member = place.memberText();
    @Nullable Entry<S> entry = entry(member);
    if (entry != null && counts(member, entry) && !isOver.test(entry.stored().session())) {
      return Optional.of(entry.stored());
    }
    try {
      return written.find(place).flatMap(known -> reread(place, known)).or(() -> read(place));
    } catch (StoreUnavailable e) {
      Optional<Stored<S>> stale = stale(place);
      if (stale.isEmpty()) {
        throw e;
      }
      caches.countStale();
      return stale;
    }
  }

  /** Returns the session that may be served although no server confirms it. */
  Optional<Stored<S>> stale(SessionNames.Place place) {
    @Nullable Entry<S> entry = entry(place.memberText());
    return entry != null && isUnchanged(place.memberText(), entry) && mayBeStale(entry) ? Optional.of(entry.stored()) : Optional.empty();
  }

  private boolean mayBeStale(Entry<S> entry) {
    ValkeyLink link = caches.link();
    Optional<Long> unconfirmed = entry.epoch() == epoch() ? Optional.of(link.confirmedNanos()) : caches.ended(entry.epoch());
    return unconfirmed.filter(since -> System.nanoTime() - since < link.config().staleness().toNanos()).isPresent();
  }

  /**
   * What is asked before a session is read.
   *
   * @param sessions 0 or 1
   */
  private record Known(long sessions, byte @Nullable [] idle) {}

  /**
   * Reads the session. Whoever invents cookies gets no further than the untracked connection: the server remembers nothing for names of
   * nobody, and its reports of changes wait behind no such question.
   */
  private Optional<Stored<S>> read(SessionNames.Place place) {
    Reading reading = reading(place);
    Known known =
        caches
            .link()
            .read(server -> server.exists(place.key()).thenCombine(server.get(names.idleOf(place.member())), Known::new));
    if (known.sessions() == 0) {
      missed(place.memberText());
      return Optional.empty();
    }
    // The idle end was read before the value; it names the version that it is of.
    return kept(reading, value(place).flatMap(value -> open.apply(place.memberText(), new Raw(value, known.idle()))));
  }

  /**
   * Reads a session that this node wrote, whose name nobody invented, by one question. Its idle end is not asked for: what this node wrote,
   * or the value says, is taken. A use elsewhere can only have moved it later, unless a shorter {@code idle} was configured since; one that
   * seems to be over is read with it. Empty if it seems to be over, or is gone.
   */
  private Optional<Stored<S>> reread(SessionNames.Place place, WrittenSessions.Written<S> known) {
    Reading reading = reading(place);
    Optional<byte[]> value = value(place);
    if (value.filter(known::isIn).isEmpty()) {
      written.remove(place, known);
    }
    return kept(
        reading,
        value
            .flatMap(bytes -> known.isIn(bytes) ? Optional.of(known.stored()) : open.apply(place.memberText(), new Raw(bytes, null)))
            .filter(stored -> !isOver.test(stored.session())));
  }

  private Optional<byte[]> value(SessionNames.Place place) {
    return Optional.ofNullable(caches.link().readTracked(server -> server.get(place.key())));
  }

  /** What was the case before a session was read. */
  private record Reading(String member, int changes, int misses, Optional<Long> epoch) {}

  private Reading reading(SessionNames.Place place) {
    int counter = counter(place.memberText());
    return new Reading(place.memberText(), changes.get(counter), misses.get(counter), confirmedEpoch());
  }

  /** Keeps what was read, if the connection was confirmed and nobody missed it meanwhile. */
  private Optional<Stored<S>> kept(Reading reading, Optional<Stored<S>> stored) {
    if (stored.isPresent() && reading.epoch().isPresent()) {
      Entry<S> read = new Entry<>(stored.get(), reading.changes(), reading.epoch().get());
      int counter = counter(reading.member());
      // One step, after which a miss removes what was kept.
      entries.keep(name(reading.member()), read, () -> misses.get(counter) == reading.misses());
    } else {
      missed(reading.member());
    }
    return stored;
  }

  private void missed(String member) {
    misses.incrementAndGet(counter(member));
    entries.forget(name(member));
  }

  private boolean isUnchanged(String member, Entry<S> entry) {
    return entry.changes() == changes.get(counter(member));
  }

  /** Forgets the session: it was changed. */
  void forget(String member) {
    changes.incrementAndGet(counter(member));
    entries.forget(name(member));
  }

  private static int counter(String member) {
    int hash = member.hashCode();
    return (hash ^ hash >>> 16) & COUNTERS - 1;
  }
}
