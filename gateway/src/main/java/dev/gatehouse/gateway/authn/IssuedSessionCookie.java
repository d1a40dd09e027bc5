package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.session.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * The session whose cookie was last issued on a client's connection. A client that sends name and password with every
 * request, and ignores cookies, does not get the same cookie with every response. A proxy's connection carries requests of many clients
 * of one person, and each of them gets the cookie.
 */
final class IssuedSessionCookie {

  private final boolean ofOneClient;
  private @Nullable SessionId issued;

  IssuedSessionCookie(boolean ofOneClient) {
    this.ofOneClient = ofOneClient;
  }

  boolean isFor(SessionId session) {
    return session.equals(issued);
  }

  void remember(SessionId session) {
    issued = ofOneClient ? session : null;
  }

  void forget() {
    issued = null;
  }
}
