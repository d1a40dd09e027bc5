package dev.gatehouse.gateway.console;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.admin.web.AdminSessions;
import java.util.List;

/**
 * The cookie of a session: for the console, and in the session of a person for the REST interface, too. It goes to no other path, because
 * cookies do not tell the ports of a host apart.
 */
final class SessionCookie {

  private static final String REST = "/admin/";

  private SessionCookie() {}

  /** Gives the browser the token of a session that began with a key. */
  static EdgeReply ofKey(EdgeReply reply, SessionToken token, boolean secure) {
    return reply.with("Set-Cookie", cookie(token.value(), Address.CONSOLE, secure)).with("Set-Cookie", removed(REST, secure));
  }

  /** Gives the browser the token of a person's session. */
  static EdgeReply ofPerson(EdgeReply reply, SessionToken token, boolean secure) {
    return reply.with("Set-Cookie", cookie(token.value(), Address.CONSOLE, secure)).with("Set-Cookie", cookie(token.value(), REST, secure));
  }

  static EdgeReply remove(EdgeReply reply, boolean secure) {
    EdgeReply all = reply;
    for (String path : List.of(Address.CONSOLE, REST)) {
      all = all.with("Set-Cookie", removed(path, secure));
    }
    return all;
  }

  private static String removed(String path, boolean secure) {
    return cookie("", path, secure) + "; Max-Age=0";
  }

  private static String cookie(String value, String path, boolean secure) {
    return AdminSessions.COOKIE + "=" + value + "; Path=" + path + "; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : "");
  }
}
