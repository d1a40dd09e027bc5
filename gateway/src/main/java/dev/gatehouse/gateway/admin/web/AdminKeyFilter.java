package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.key.NamedKeys.NamedKey;
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

/** Admits requests below {@code /admin/v1/} that carry an administrator key as a Bearer token (RFC 6750, section 2.1). */
public final class AdminKeyFilter extends HttpFilter {
  private static final long serialVersionUID = 1;

  /** The request attribute with the administrator's name. */
  public static final String ADMINISTRATOR = "gatehouse.administrator";

  /** The request attribute with the administrator's {@link AdminRights}. */
  public static final String RIGHTS = "gatehouse.administrator.rights";

  public static final String DESCRIPTION = "/admin/v1/openapi.json";

  private final transient AdminKeyCheck keys;

  AdminKeyFilter(AdminKeyCheck keys) {
    this.keys = keys;
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
      refuse(response, 401, "An administrator key is needed: Authorization: Bearer gha_… (made by `gatehouse keys admin`).");
      return;
    }
    switch (keys.check(key.get(), client(request))) {
      case Verdict.Right(NamedKey known) -> {
        request.setAttribute(ADMINISTRATOR, known.name());
        request.setAttribute(RIGHTS, new AdminRights(known.name(), known.grants()));
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
