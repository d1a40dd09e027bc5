package dev.gatehouse.common.valkey;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.valkey.SessionSeal.Sealed;
import dev.gatehouse.common.valkey.SessionSeal.Stored;
import java.time.Duration;
import java.util.Optional;

/**
 * Sessions as this node wrote them in the last ten seconds, for what a person's browser or a client does next. The server reports no
 * change of what was written, only of what was read: before such a session counts, its value is read. If it is the one that this node
 * wrote, it need not be opened again.
 */
final class WrittenSessions<S extends Session> {

  /** The most, however large the heap is. */
  private static final int MOST = 20_000;

  /** The part of the heap for one kind: a login writes few kinds, and what does not fit is read again. */
  private static final int SHARE = 32;

  private static final Duration KEPT = Duration.ofSeconds(10);

  private final Cache<String, Written<S>> entries;

  /**
   * A session whose write was acknowledged.
   *
   * @param mark what no other value begins with
   * @param epoch the connection by which it was written
   */
  record Written<S>(Stored<S> stored, byte[] mark, long epoch) {

    boolean isIn(byte[] value) {
      return SessionSeal.hasMark(value, mark);
    }
  }

  /** @param room bytes that they take, as estimated */
  WrittenSessions(long room) {
    int least = (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(room, MOST));
    this.entries =
        Caffeine.newBuilder()
            .maximumWeight(room)
            .weigher((String name, Written<S> written) -> Math.max(least, written.stored().bytes()))
            .expireAfterWrite(KEPT)
            .executor(Runnable::run)
            .build();
  }

  /** Returns the room of one kind at a node whose heap has so many bytes at most. */
  static long room(long heap) {
    return heap / SHARE;
  }

  void add(SessionNames.Place place, Sealed<S> sealed, long epoch) {
    entries.put(place.memberText(), new Written<>(sealed.stored(), SessionSeal.mark(sealed.value()), epoch));
  }

  Optional<Written<S>> find(SessionNames.Place place) {
    return Optional.ofNullable(entries.getIfPresent(place.memberText()));
  }

  void remove(SessionNames.Place place) {
    entries.invalidate(place.memberText());
  }

  /** Removes that one, unless a later write has replaced it. */
  void remove(SessionNames.Place place, Written<S> written) {
    entries.asMap().computeIfPresent(place.memberText(), (name, known) -> known == written ? null : known);
  }
}
