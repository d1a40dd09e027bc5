package dev.gatehouse.sp.session;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import java.util.Optional;

/** The sessions that this node has used recently. */
public interface AppSessionCache {

  /** Never blocks. This is the only store call that an event loop may make. */
  default Peek peek(String realm, SessionToken token) {
    return peek(realm, token.id());
  }

  /** Like {@link #peek(String, SessionToken)}, for a caller that knows only the session's id. */
  Peek peek(String realm, SessionId id);

  /** Blocks: loads from the store on a miss. Also updates the session's idle end when that is due. */
  default Optional<AppSession> load(String realm, SessionToken token) {
    return load(realm, token.id());
  }

  /** Like {@link #load(String, SessionToken)}, for a caller that knows only the session's id. */
  Optional<AppSession> load(String realm, SessionId id);

  /** Blocks: the session of the browser that sent the request, as by {@link #load(String, SessionToken)}. */
  default Optional<AppSession> ofBrowser(String realm, EdgeRequest request) {
    return AppCookie.token(request).flatMap(token -> load(realm, token));
  }

  /** Blocks: like {@link #load(String, SessionId)}, but does not count as a use: the idle end does not move. */
  Optional<AppSession> look(String realm, SessionId id);

  /** The result of a peek. */
  sealed interface Peek {
    record Hit(AppSession session) implements Peek {}

    /** The session is known not to exist (recently looked up, or ended here). */
    record None() implements Peek {}

    /**
     * The session is unknown, or its idle end must be updated: call {@link AppSessionCache#load} on a virtual thread.
     */
    record Miss() implements Peek {}
  }
}
