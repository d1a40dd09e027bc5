package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.SameOrigin;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.gateway.admin.web.AdminKeyCheck.Verdict;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import org.springframework.dao.DataAccessException;

/**
 * Admits requests below {@code /admin/v1/} that carry an administrator key as a Bearer token (RFC 6750, section 2.1), and those that a
 * page of this listener sends in the session of a person.
 */
public final class AdminKeyFilter extends HttpFilter {
  private static final long serialVersionUID = 1;

  /** The request attribute with the administrator's name. */
  public static final String ADMINISTRATOR = "gatehouse.administrator";

  /** The request attribute with the administrator's {@link AdminRights}. */
  public static final String RIGHTS = "gatehouse.administrator.rights";

  public static final String DESCRIPTION = "/admin/v1/openapi.json";

  private static final byte[] UNREAD = new byte[0];

  private final transient AdminKeyCheck keys;
  private final transient AdminSessions sessions;

  AdminKeyFilter(AdminKeyCheck keys, AdminSessions sessions) {
    this.keys = keys;
    this.sessions = sessions;
  }

  @Override
  protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (request.getRequestURI().equals(DESCRIPTION)) {
      chain.doFilter(request, response);
      return;
    }
    Optional<String> key = bearer(request);
    if (key.isEmpty()) {
      session(request, response, chain);
      return;
    }
    switch (keys.check(key.get(), client(request))) {
      case Verdict.Right(NamedKey known) -> {
        admit(request, new AdminRights(known.name(), known.grants()));
        chain.doFilter(request, response);
      }
      case Verdict.Wrong wrong -> refuse(response, 403, "This administrator key is not known here.");
      case Verdict.NotAudited unavailable -> refuse(response, 503, "The audit log cannot be written.");
      case Verdict.TooMany(Duration retryAfter, boolean atOnce) -> {
        response.setHeader("Retry-After", String.valueOf(Math.max(1, retryAfter.toSeconds())));
        refuse(response, 429, "Too many wrong administrator keys from this address" + (atOnce ? " at once." : "."));
      }
    }
  }

  /**
   * A page of another origin can make a browser send the cookie, and so can one on another port of this host, which gets it, too: a
   * session counts only with a field that tells that a page of this origin sends the request.
   */
  private void session(HttpServletRequest servlet, HttpServletResponse response, FilterChain chain) throws IOException, ServletException {
    EdgeRequest request = ServletRequests.edge(servlet, UNREAD);
    Optional<SessionToken> token = AdminSessions.token(request);
    if (token.isPresent() && !SameOrigin.sent(request)) {
      refuse(response, 403, "A session counts only for pages of this listener (Sec-Fetch-Site: same-origin); others need an administrator key.");
      return;
    }
    Optional<AdminRights> rights;
    try {
      // A session that began with a key does not stand for it here: who has the key sends it.
      rights = token.flatMap(held -> sessions.use(held, request)).filter(known -> known.login().isPresent());
    } catch (DataAccessException | StoreUnavailable | DirectoryUnavailable e) {
      refuse(response, 503, "The roles of the person cannot be read at the moment.");
      return;
    }
    if (rights.isEmpty()) {
      refuse(response, 401, "An administrator key is needed: Authorization: Bearer gha_… (made by `gatehouse keys admin`).");
      return;
    }
    admit(servlet, rights.get());
    chain.doFilter(servlet, response);
  }

  /** Says to the endpoints who asks. */
  public static void admit(HttpServletRequest request, AdminRights rights) {
    request.setAttribute(ADMINISTRATOR, rights.administrator());
    request.setAttribute(RIGHTS, rights);
  }

  /** Returns the address of the client. */
  public static InetAddress client(HttpServletRequest request) {
    // Jetty puts an IPv6 address in brackets.
    return InetAddress.ofLiteral(request.getRemoteAddr().replaceAll("[\\[\\]]", ""));
  }

  private static Optional<String> bearer(HttpServletRequest request) {
    String header = request.getHeader("Authorization");
    return header != null && header.regionMatches(true, 0, "Bearer ", 0, 7)
        ? Optional.of(header.substring(7).strip()).filter(key -> !key.isEmpty())
        : Optional.empty();
  }

  private static void refuse(HttpServletResponse response, int status, String detail) throws IOException {
    if (status == 401) {
      response.setHeader("WWW-Authenticate", "Bearer realm=\"gatehouse-admin\"");
    }
    String title =
        switch (status) {
          case 401 -> "Unauthorized";
          case 403 -> "Forbidden";
          case 429 -> "Too Many Requests";
          default -> "Service Unavailable";
        };
    AdminReplies.problem(response, status, title, detail);
  }
}
