package dev.gatehouse.idp.session;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.endpoint.RealmRequest;

/**
 * The cookie {@code gh_state.{realm}}: tells clients' pages in a frame of ours whether the same person is still logged
 * in (OpenID Connect Session Management 1.0, section 3.2). It is a digest of the session's first id: it remains the
 * same during the login, and grants no access to the session. It is our only cookie that scripts can read and that
 * frames of other sites receive.
 */
public final class StateCookie {

  private StateCookie() {}

  /** The cookie's name at the requested origin. */
  public static String name(RealmRequest request) {
    String name = "gh_state." + request.realm().name();
    return request.origin().isSecure() ? "__Host-" + name : name;
  }

  /** The cookie's value for a session. */
  public static String value(IdpSession session) {
    return digest(session.first());
  }

  /** Sends the cookie to a browser that has another value. */
  public static EdgeReply keep(RealmRequest request, IdpSession session, EdgeReply reply) {
    String value = value(session);
    return request.http().cookie(name(request)).filter(value::equals).isPresent()
        ? reply
        : reply.with("Set-Cookie", name(request) + "=" + value + attributes(request.origin()));
  }

  /** Removes the cookie from a browser that is no longer logged in. */
  public static EdgeReply remove(RealmRequest request, EdgeReply reply) {
    return request.http().cookie(name(request)).isPresent()
        ? reply.with("Set-Cookie", name(request) + "=" + attributes(request.origin()) + "; Max-Age=0")
        : reply;
  }

  /** Browsers accept SameSite=None only with https. */
  private static String attributes(Origin origin) {
    return "; Path=/; " + (origin.isSecure() ? "SameSite=None; Secure" : "SameSite=Lax");
  }

  private static String digest(SessionId first) {
    return Sha256.base64Url("state\n" + first.value());
  }
}
