package dev.gatehouse.sp.session;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.session.SessionToken;
import java.util.Optional;

/** The cookie that holds the token of an AppSession, on each protected host. */
public final class AppCookie {

  /** The name without the prefix {@code __Host-}. */
  public static final String NAME = "gh_app";

  private AppCookie() {}

  public static Optional<SessionToken> token(EdgeRequest request) {
    return request.cookie(Cookies.name(request.origin(), NAME)).flatMap(SessionToken::parse);
  }

  /** The reply with the cookie for this token. */
  public static EdgeReply set(EdgeReply reply, Origin origin, SessionToken token) {
    return reply.with("Set-Cookie", Cookies.set(origin, NAME, token.value()));
  }

  /** The reply that makes the browser forget its token. */
  public static EdgeReply remove(EdgeReply reply, Origin origin) {
    return reply.with("Set-Cookie", Cookies.remove(origin, NAME));
  }
}
