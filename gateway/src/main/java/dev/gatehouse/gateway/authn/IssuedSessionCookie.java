package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.session.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * The session whose cookie was last issued on a client's connection. A client that sends name and password with every
 * request, and ignores cookies, does not get the same cookie with every response.
 */
final class IssuedSessionCookie {

  private @Nullable SessionId issued;

  boolean isFor(SessionId session) {
    return session.equals(issued);
  }

  void remember(SessionId session) {
    issued = session;
  }

  void forget() {
    issued = null;
  }
}
