package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The cookie {@code gh_state.{realm}}: whether the same person is still logged in, for clients' pages that ask in a frame of ours
 * (OpenID Connect Session Management 1.0, section 3.2). A digest of the session's first id: it stays for as long as the login,
 * and lets nobody into the session. The only cookie of ours that scripts read and that frames of other sites get.
 */
public final class StateCookie {

  private StateCookie() {}

  /** As the cookie is called at the origin that was asked. */
  public static String name(RealmRequest request) {
    String name = "gh_state." + request.realm().name();
    return request.origin().isSecure() ? "__Host-" + name : name;
  }

  /** Its value for a session. */
  public static String value(IdpSession session) {
    return digest(session.first());
  }

  /** Gives it to a browser that has another value. */
  public static EdgeReply keep(RealmRequest request, IdpSession session, EdgeReply reply) {
    String value = value(session);
    return request.http().cookie(name(request)).filter(value::equals).isPresent()
        ? reply
        : reply.with("Set-Cookie", name(request) + "=" + value + attributes(request.origin()));
  }

  /** Takes it from a browser that is logged in no more. */
  public static EdgeReply remove(RealmRequest request, EdgeReply reply) {
    return request.http().cookie(name(request)).isPresent()
        ? reply.with("Set-Cookie", name(request) + "=" + attributes(request.origin()) + "; Max-Age=0")
        : reply;
  }

  /** Browsers take SameSite=None on https alone. */
  private static String attributes(Origin origin) {
    return "; Path=/; " + (origin.isSecure() ? "SameSite=None; Secure" : "SameSite=Lax");
  }

  private static String digest(SessionId first) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(("state\n" + first.value()).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
