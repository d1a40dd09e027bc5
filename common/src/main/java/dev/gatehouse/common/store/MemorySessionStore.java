package dev.gatehouse.common.store;

import dev.gatehouse.common.codec.LearnedVocabulary;
import dev.gatehouse.common.codec.Vocabulary;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionCodec;
import dev.gatehouse.common.session.SessionId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Stores sessions in memory: for tests and {@code storage: volatile}. Throws {@link StoreUnavailable} when full.
 *
 * <p>A session is one array of bytes; ids, indexes and deadlines are arrays of numbers, so that a million sessions are a
 * million objects and not fifty million. A caller that changes a session holds its stripe. The tables have one lock. It is held
 * briefly, and never while a codec or a caller's function runs, except for sessions that expired.
 */
final class MemorySessionStore<S extends Session> extends IndexedSessionStore<S> {

  private static final int SWEPT_PER_WRITE = 8;
  private static final int SCANNED_AT_ONCE = 256;

  private final InstantSource time;
  private final int capacity;
  private final SessionCodec<S> codec;
  private final Expired afterwards;
  private final Vocabulary vocabulary = new LearnedVocabulary();
  private final Stripes stripes = new Stripes();
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final SessionSlots slots = new SessionSlots();
  private final SlotIndex index = new SlotIndex();
  private final SlotDeadlines deadlines = new SlotDeadlines();

  /** @param capacity the largest number of sessions */
  MemorySessionStore(InstantSource time, int capacity, SessionCodec<S> codec, Expired afterwards) {
    this.time = time;
    this.capacity = capacity;
    this.codec = codec;
    this.afterwards = afterwards;
  }

  @Override
  public void create(S session) {
    byte[] key = SessionRecord.key(session.id());
    byte[] record = record(key, session);
    Set<Integer> hashes = hashes(session);
    ReentrantLock stripe = stripes.of(key);
    stripe.lock();
    lock.writeLock().lock();
    try {
      long now = time.millis();
      sweep(now, SWEPT_PER_WRITE);
      int old = slots.find(session.id(), key);
      if (old != SessionSlots.NONE) {
        if (now < SessionRecord.expiry(slots.record(old))) {
          throw new IllegalStateException("The session exists: " + session.id());
        }
        remove(old);
      }
      if (slots.size() >= capacity) {
        sweep(now, Integer.MAX_VALUE);
      }
      if (slots.size() >= capacity) {
        throw new StoreUnavailable("The memory store is full: " + capacity + " sessions");
      }
      add(session.id(), record, hashes);
    } finally {
      lock.writeLock().unlock();
      stripe.unlock();
    }
  }

  @Override
  public Optional<S> find(SessionId id) {
    return held(id, SessionRecord.key(id)).map(this::session).filter(session -> isLive(session, time.instant()));
  }

  @Override
  public Optional<S> update(SessionId id, UnaryOperator<S> change) {
    byte[] key = SessionRecord.key(id);
    ReentrantLock stripe = stripes.of(key);
    stripe.lock();
    try {
      Optional<byte[]> held = held(id, key);
      Optional<S> before = held.map(this::session).filter(session -> isLive(session, time.instant()));
      if (held.isEmpty() || before.isEmpty()) {
        return Optional.empty();
      }
      S changed = change.apply(before.get());
      SessionKeys.requireSame(before.get(), changed);
      if (!replace(id, key, held.get(), record(key, changed), hashes(before.get()), hashes(changed))) {
        return Optional.empty();
      }
      return isLive(changed, time.instant()) ? Optional.of(changed) : Optional.empty();
    } finally {
      stripe.unlock();
    }
  }

  /** Returns whether the session was still stored: it may have expired and been forgotten meanwhile. */
  private boolean replace(
      SessionId id, byte[] key, byte[] before, byte[] after, Set<Integer> hashesBefore, Set<Integer> hashesAfter) {
    lock.writeLock().lock();
    try {
      int slot = slots.find(id, key);
      if (slot == SessionSlots.NONE || slots.record(slot) != before) {
        return false;
      }
      if (SessionRecord.expiry(after) < SessionRecord.expiry(before)) {
        // A slot's deadline may only move later; a session that now expires earlier needs a new slot.
        hashesBefore.forEach(hash -> index.remove(hash, slot));
        slots.drop(slot);
        add(id, after, hashesAfter);
        return true;
      }
      slots.replace(slot, after);
      hashesBefore.stream().filter(hash -> !hashesAfter.contains(hash)).forEach(hash -> index.remove(hash, slot));
      hashesAfter.stream().filter(hash -> !hashesBefore.contains(hash)).forEach(hash -> index.add(hash, slot));
      return true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public Optional<S> end(SessionId id) {
    return take(id, session -> isLive(session, time.instant()));
  }

  @Override
  public Optional<S> endExpired(SessionId id) {
    return take(id, session -> !isLive(session, time.instant()));
  }

  private Optional<S> take(SessionId id, Predicate<S> fits) {
    byte[] key = SessionRecord.key(id);
    ReentrantLock stripe = stripes.of(key);
    stripe.lock();
    try {
      Optional<byte[]> held = held(id, key);
      Optional<S> session = held.map(this::session).filter(fits);
      return held.isPresent() && session.isPresent() && taken(id, key, held.get()) ? session : Optional.empty();
    } finally {
      stripe.unlock();
    }
  }

  private boolean taken(SessionId id, byte[] key, byte[] record) {
    lock.writeLock().lock();
    try {
      int slot = slots.find(id, key);
      if (slot == SessionSlots.NONE || slots.record(slot) != record) {
        return false;
      }
      remove(slot);
      return true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public List<S> expired(int limit) {
    if (afterwards == Expired.FORGOTTEN) {
      return List.of();
    }
    Instant now = time.instant();
    List<byte[]> due = new ArrayList<>();
    lock.writeLock().lock();
    try {
      deadlines.visit(now.toEpochMilli(), limit, slot -> collectExpired(slot, now.toEpochMilli(), due));
    } finally {
      lock.writeLock().unlock();
    }
    return due.stream()
        .sorted(Comparator.comparingLong(SessionRecord::expiry))
        .limit(limit)
        .map(this::session)
        .toList();
  }

  /** Collects the record of a slot that is due and has expired. */
  private long collectExpired(int slot, long now, List<byte[]> due) {
    if (!slots.isHeld(slot)) {
      slots.release(slot);
      return SlotDeadlines.GONE;
    }
    byte[] record = slots.record(slot);
    long expiry = SessionRecord.expiry(record);
    if (expiry <= now) {
      due.add(record);
    }
    return expiry;
  }

  @Override
  public long count() {
    lock.writeLock().lock();
    try {
      sweep(time.millis(), Integer.MAX_VALUE);
      return slots.size();
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  List<S> indexed(String key, Predicate<S> fits) {
    List<byte[]> records;
    lock.readLock().lock();
    try {
      records = index.slots(SlotIndex.hash(key)).stream().map(slots::record).toList();
    } finally {
      lock.readLock().unlock();
    }
    Instant now = time.instant();
    return records.stream()
        .map(this::session)
        .filter(session -> isLive(session, now))
        .filter(fits)
        .toList();
  }

  @Override
  List<S> ordered(String realm, String after, int limit, Predicate<S> fits) {
    List<S> found = new ArrayList<>();
    String last = after;
    while (found.size() < limit) {
      List<byte[]> records = following(last);
      if (records.isEmpty()) {
        break;
      }
      Instant now = time.instant();
      records.stream()
          .map(this::session)
          .filter(session -> isLive(session, now))
          .filter(fits)
          .limit(limit - found.size())
          .forEach(found::add);
      last = SessionRecord.id(records.getLast()).value();
    }
    return found;
  }

  private List<byte[]> following(String id) {
    lock.readLock().lock();
    try {
      return slots.after(id, SCANNED_AT_ONCE);
    } finally {
      lock.readLock().unlock();
    }
  }

  private Optional<byte[]> held(SessionId id, byte[] key) {
    lock.readLock().lock();
    try {
      int slot = slots.find(id, key);
      return slot == SessionSlots.NONE ? Optional.empty() : Optional.of(slots.record(slot));
    } finally {
      lock.readLock().unlock();
    }
  }

  private void add(SessionId id, byte[] record, Set<Integer> hashes) {
    int slot = slots.add(id, record);
    hashes.forEach(hash -> index.add(hash, slot));
    deadlines.add(slot, SessionRecord.expiry(record));
  }

  /** Removes the session; its slot becomes free when its deadline has passed. */
  private void remove(int slot) {
    hashes(session(slots.record(slot))).forEach(hash -> index.remove(hash, slot));
    slots.drop(slot);
  }

  /** Checks some slots that were due: more than a write adds, so that expired sessions cannot pile up. */
  private void sweep(long now, int limit) {
    if (afterwards == Expired.KEPT) {
      return;
    }
    deadlines.drain(now, limit, slot -> expiryOrRelease(slot, now));
  }

  private long expiryOrRelease(int slot, long now) {
    if (slots.isHeld(slot)) {
      long expiry = SessionRecord.expiry(slots.record(slot));
      if (now < expiry) {
        return expiry;
      }
      remove(slot);
    }
    slots.release(slot);
    return SlotDeadlines.GONE;
  }

  private byte[] record(byte[] key, S session) {
    return SessionRecord.of(key, session.expiresAt(), codec.pack(session, vocabulary));
  }

  private S session(byte[] record) {
    return codec.unpack(SessionRecord.id(record), SessionRecord.body(record), vocabulary);
  }

  /** Returns the hashes of all keys but the realm's: pages iterate over the ids. */
  private static <S extends Session> Set<Integer> hashes(S session) {
    Set<Integer> hashes = new HashSet<>();
    String realm = SessionKeys.realm(session.realm());
    for (String key : SessionKeys.all(session)) {
      if (!key.equals(realm)) {
        hashes.add(SlotIndex.hash(key));
      }
    }
    return hashes;
  }

  private boolean isLive(S session, Instant now) {
    return now.isBefore(session.expiresAt());
  }
}
