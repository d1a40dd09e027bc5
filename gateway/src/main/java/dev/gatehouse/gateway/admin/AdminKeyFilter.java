package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys;
import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.throttle.GuessThrottle;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Lets requests below {@code /admin/v1/} through that carry an administrator key as a Bearer token (RFC 6750, section 2.1).
 * Keys cannot be guessed; the throttle keeps a loop with a wrong key from costing anything.
 */
final class AdminKeyFilter extends HttpFilter {
  private static final long serialVersionUID = 1;

  /** The request attribute with the administrator's name. */
  static final String ADMINISTRATOR = "gatehouse.administrator";

  static final String DESCRIPTION = "/admin/v1/openapi.json";
  private static final ThrottleConfig LIMITS = new ThrottleConfig(30, 30, Duration.ofMinutes(1));

  private final transient AdministratorKeys keys;
  private final transient GuessThrottle throttle;

  AdminKeyFilter(AdministratorKeys keys, GuessThrottle throttle) {
    this.keys = keys;
    this.throttle = throttle;
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
    // Jetty puts an IPv6 address into brackets.
    InetAddress client = InetAddress.ofLiteral(request.getRemoteAddr().replaceAll("[\\[\\]]", ""));
    switch (throttle.admit("-", client.getHostAddress(), client, LIMITS)) {
      case GuessThrottle.Admission.Refused refused -> {
        response.setHeader("Retry-After", String.valueOf(Math.max(1, refused.retryAfter().toSeconds())));
        refuse(response, 429, "Too many wrong administrator keys from this address.");
      }
      case GuessThrottle.Admission.Busy busy -> {
        response.setHeader("Retry-After", String.valueOf(Math.max(1, busy.retryAfter().toSeconds())));
        refuse(response, 429, "Too many administrator keys from this address at once.");
      }
      case GuessThrottle.Admission.Admitted admitted -> {
        Optional<String> administrator = keys.verify(key.get()).map(NamedKeys.NamedKey::name);
        if (administrator.isEmpty()) {
          admitted.failed();
          refuse(response, 403, "This administrator key is not known here.");
          return;
        }
        admitted.succeeded();
        request.setAttribute(ADMINISTRATOR, administrator.get());
        chain.doFilter(request, response);
      }
    }
  }

  private static Optional<String> bearer(HttpServletRequest request) {
    String header = request.getHeader("Authorization");
    return header != null && header.regionMatches(true, 0, "Bearer ", 0, 7)
        ? Optional.of(header.substring(7).strip()).filter(key -> !key.isEmpty())
        : Optional.empty();
  }

  private static void refuse(HttpServletResponse response, int status, String detail) throws IOException {
    response.setStatus(status);
    if (status == 401) {
      response.setHeader("WWW-Authenticate", "Bearer realm=\"gatehouse-admin\"");
    }
    response.setContentType("application/problem+json");
    response.setCharacterEncoding("UTF-8");
    String title = status == 401 ? "Unauthorized" : status == 403 ? "Forbidden" : "Too Many Requests";
    response
        .getWriter()
        .write(
            "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}".formatted(title, status, detail));
  }
}
