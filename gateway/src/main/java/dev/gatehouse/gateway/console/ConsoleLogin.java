package dev.gatehouse.gateway.console;

import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.SameOrigin;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyCheck;
import dev.gatehouse.gateway.admin.web.AdminKeyCheck.Verdict;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.AdminSessions;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Logs administrators in by their key, and every administrator out. The login form has no {@code csrf} field, since there is no session to derive it from:
 * it must come from a page of the same origin.
 */
final class ConsoleLogin {

  private final AdminKeyCheck keys;
  private final AdminSessions sessions;
  private final AdministratorPeople people;
  private final AdminAudit audit;
  private final ConsolePages pages;

  ConsoleLogin(AdminKeyCheck keys, AdminSessions sessions, AdministratorPeople people, AdminAudit audit, ConsolePages pages) {
    this.keys = keys;
    this.sessions = sessions;
    this.people = people;
    this.audit = audit;
    this.pages = pages;
  }

  EdgeReply answer(EdgeRequest request) {
    if (!request.method().equals("POST")) {
      return page(request, 200, "", 0);
    }
    if (!SameOrigin.sent(request)) {
      return page(request, 403, "foreign", 0);
    }
    Optional<String> key = request.formParameters().one("key").map(String::strip).filter(given -> !given.isEmpty());
    if (key.isEmpty()) {
      return page(request, 400, "missing", 0);
    }
    return switch (keys.check(key.get(), request.client())) {
      case Verdict.Right(NamedKey known) -> begin(request, known);
      case Verdict.Wrong wrong -> page(request, 403, "wrong", 0);
      case Verdict.NotAudited unavailable -> page(request, 503, "unavailable", 0);
      case Verdict.TooMany(Duration retryAfter, boolean atOnce) -> {
        long seconds = Math.max(1, retryAfter.toSeconds());
        yield page(request, 429, "throttled", seconds).with("Retry-After", String.valueOf(seconds));
      }
    };
  }

  private EdgeReply begin(EdgeRequest request, NamedKey key) {
    try {
      audit.record(AdminRights.NODE, key.name(), "console.login", Map.of());
    } catch (AuditUnavailable e) {
      return page(request, 503, "unavailable", 0);
    }
    AdminSessions.token(request).ifPresent(sessions::endIfPossible);
    return SessionCookie.ofKey(EdgeReply.seeOther(Address.CONSOLE), sessions.begin(key), request.origin().isSecure());
  }

  EdgeReply logOut(EdgeRequest request, SessionToken token) {
    sessions.end(token);
    return SessionCookie.remove(EdgeReply.seeOther(Address.LOGIN), isSecure(request));
  }

  private boolean isSecure(EdgeRequest request) {
    return request.origin().isSecure() || people.login().filter(login -> login.publicUrl().isSecure()).isPresent();
  }

  /** @param wrong what is wrong, as in the texts; empty for the first page */
  private EdgeReply page(EdgeRequest request, int status, String wrong, long seconds) {
    return pages.login(request, status, wrong, seconds);
  }
}
