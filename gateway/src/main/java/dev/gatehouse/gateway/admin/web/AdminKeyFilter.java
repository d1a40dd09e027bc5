package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.page.RefusalLog;
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
 * Admits requests below {@code /admin/v1/} that carry an administrator key as a Bearer token (RFC 6750, section 2.1). A
 * right key is always accepted: keys cannot be guessed, so throttling of wrong keys only protects the log, and must not
 * lock out administrators who share an address with an attacker. Wrong keys are audited with their address, at a
 * limited rate.
 */
public final class AdminKeyFilter extends HttpFilter {
  private static final long serialVersionUID = 1;

  /** The request attribute with the administrator's name. */
  public static final String ADMINISTRATOR = "gatehouse.administrator";

  /** The request attribute with the administrator's {@link AdminRights}. */
  public static final String RIGHTS = "gatehouse.administrator.rights";

  public static final String DESCRIPTION = "/admin/v1/openapi.json";
  private static final ThrottleConfig LIMITS = new ThrottleConfig(30, 30, Duration.ofMinutes(1));

  private final transient AdministratorKeys keys;
  private final transient GuessThrottle throttle;
  private final transient RefusalLog refusals;

  AdminKeyFilter(AdministratorKeys keys, GuessThrottle throttle, RefusalLog refusals) {
    this.keys = keys;
    this.throttle = throttle;
    this.refusals = refusals;
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
    Optional<NamedKey> known = keys.verify(key.get());
    if (known.isEmpty()) {
      refuseWrongKey(response, client(request), keys.expired(key.get()));
      return;
    }
    request.setAttribute(ADMINISTRATOR, known.get().name());
    request.setAttribute(RIGHTS, new AdminRights(known.get().name(), known.get().grants()));
    chain.doFilter(request, response);
  }

  /** Answers both alike; only the audit log says which key has expired. */
  private void refuseWrongKey(HttpServletResponse response, InetAddress client, Optional<NamedKey> expired) throws IOException {
    String reason = expired.isPresent() ? "ADMINISTRATOR_KEY_EXPIRED" : "ADMINISTRATOR_KEY_UNKNOWN";
    try {
      refusals.record("-", client, expired.map(NamedKey::name).orElse("-"), AdminProblems.ADMINISTRATION, reason, "");
    } catch (AuditUnavailable e) {
      refuse(response, 503, "The audit log cannot be written.");
      return;
    }
    switch (throttle.admit("-", client.getHostAddress(), client, LIMITS)) {
      case GuessThrottle.Admission.Refused refused -> {
        response.setHeader("Retry-After", String.valueOf(Math.max(1, refused.retryAfter().toSeconds())));
        refuse(response, 429, "Too many wrong administrator keys from this address.");
      }
      case GuessThrottle.Admission.Busy busy -> {
        response.setHeader("Retry-After", String.valueOf(Math.max(1, busy.retryAfter().toSeconds())));
        refuse(response, 429, "Too many wrong administrator keys from this address at once.");
      }
      case GuessThrottle.Admission.Admitted admitted -> {
        admitted.failed();
        refuse(response, 403, "This administrator key is not known here.");
      }
    }
  }

  static InetAddress client(HttpServletRequest request) {
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
