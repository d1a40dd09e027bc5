package dev.gatehouse.common.session;

import dev.gatehouse.common.directory.PersonId;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Sessions of one kind. What returned survives kill -9 (except in the volatile form). Expired sessions are never returned.
 * Blocks: call on virtual threads only.
 */
public interface SessionStore<S extends Session> {

  /** Stores a new session; throws {@link IllegalStateException} where the id exists. */
  void create(S session);

  Optional<S> find(SessionId id);

  /**
   * Replaces the session by what {@code change} makes of it, atomically per session; empty where it is gone: a session
   * that ended is never brought back. {@code change} keeps id and realm, is quick and does not use the store: others with
   * the same session wait for it.
   */
  Optional<S> update(SessionId id, UnaryOperator<S> change);

  /** Ends it and returns it to exactly one caller. */
  Optional<S> end(SessionId id);

  List<S> byPerson(String realm, PersonId person);

  List<S> byIndex(String indexKey);

  /** Up to {@code most} sessions of the realm with ids after {@code after} (empty: from the start), in the order of ids. */
  List<S> page(String realm, String after, int most);

  /**
   * Up to {@code most} sessions that expired and are still kept, about in the order in which they expired. Costs what it
   * returns, however many sessions there are. Always empty in a store that forgets what expires; see {@code
   * Stores.sessions}.
   */
  List<S> expired(int most);

  /**
   * Takes out a session that expired, for exactly one caller. Until then it is kept, kill -9 or not, so that what follows
   * from its end can be made durable first.
   */
  Optional<S> endExpired(SessionId id);

  /** How many there are; those that expired a moment ago, or are kept, may still be counted. */
  long count();
}
