package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.session.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * The session whose cookie a client's connection was given last: who sends name and password with every request, and keeps no
 * cookies, is not given the same one with every answer.
 */
final class IssuedSessionCookie {

  private @Nullable SessionId told;

  boolean knows(SessionId session) {
    return session.equals(told);
  }

  void tell(SessionId session) {
    told = session;
  }

  void forget() {
    told = null;
  }
}
