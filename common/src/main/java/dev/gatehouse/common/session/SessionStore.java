package dev.gatehouse.common.session;

import dev.gatehouse.common.directory.PersonId;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Stores sessions of one kind. A change survives kill -9 once its method has returned (except in the volatile form). Expired
 * sessions are returned only by {@link #expired} and {@link #endExpired}. Blocks: call on virtual threads only.
 */
public interface SessionStore<S extends Session> {

  /** Stores a new session; throws {@link IllegalStateException} if the id exists. */
  void create(S session);

  Optional<S> find(SessionId id);

  /**
   * Returns the session if it is in memory and counts without asking a server; empty where a caller has to {@link #find} it. Never
   * blocks.
   */
  default Optional<S> peek(SessionId id) {
    return Optional.empty();
  }

  /**
   * Returns the session as this node knows it, which another node may have changed or ended meanwhile. For callers that check what never
   * changes and then {@link #update} it, which refuses if it has ended and applies its change to what is stored. Before that they must do
   * nothing that has an effect.
   */
  default Optional<S> lastKnown(SessionId id) {
    return find(id);
  }

  /** Returns whether other nodes change these sessions, so that callers must keep none in caches of their own. */
  default boolean isShared() {
    return false;
  }

  /**
   * Replaces the session by the result of {@code change}, atomically per session. Returns nothing if the session has ended: it
   * is never brought back. {@code change} must preserve id and realm, be quick and not use the store: other callers with the
   * same session wait for it.
   */
  Optional<S> update(SessionId id, UnaryOperator<S> change);

  /** Ends the session and returns it to exactly one caller. */
  Optional<S> end(SessionId id);

  List<S> byPerson(String realm, PersonId person);

  List<S> byIndex(String indexKey);

  /** Returns up to {@code limit} sessions of the realm with ids after {@code after} (empty: from the start), in the order of ids. */
  List<S> page(String realm, String after, int limit);

  /**
   * Returns up to {@code limit} expired sessions that are still stored, about in the order in which they expired. The cost
   * depends on the result, not on the number of sessions. Always empty in a store that forgets expired sessions; see {@code
   * Stores.sessions}.
   */
  List<S> expired(int limit);

  /**
   * Removes an expired session and returns it to exactly one caller. Until then the session stays stored, even after kill -9,
   * so that the consequences of its end can be made durable first.
   */
  Optional<S> endExpired(SessionId id);

  /** Returns the number of sessions; some that have expired may still be counted. */
  long count();
}
