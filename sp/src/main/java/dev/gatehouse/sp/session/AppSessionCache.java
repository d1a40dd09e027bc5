package dev.gatehouse.sp.session;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import java.util.Optional;

/** Sessions that this node has seen lately. */
public interface AppSessionCache {

  /** Never blocks; the only call of a store that an event loop may make. */
  default Peek peek(String realm, SessionToken token) {
    return peek(realm, token.id());
  }

  /** As {@link #peek(String, SessionToken)}, where the token was known before. */
  Peek peek(String realm, SessionId id);

  /** Blocks: loads from the store on a miss. Also touches the session's idle time where that is due. */
  default Optional<AppSession> load(String realm, SessionToken token) {
    return load(realm, token.id());
  }

  /** As {@link #load(String, SessionToken)}, where the token was known before. */
  Optional<AppSession> load(String realm, SessionId id);

  /** Blocks: as {@link #load(String, SessionId)}, but nobody uses the session: its idle time goes on. */
  Optional<AppSession> look(String realm, SessionId id);

  /** What peek found. */
  sealed interface Peek {
    record Hit(AppSession session) implements Peek {}

    /** Known not to exist (lately looked up, or ended here). */
    record None() implements Peek {}

    /** Not known, or due for a touch: call {@link AppSessionCache#load} on a virtual thread. */
    record Miss() implements Peek {}
  }
}
