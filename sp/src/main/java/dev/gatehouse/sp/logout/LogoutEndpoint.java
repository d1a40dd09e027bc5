package dev.gatehouse.sp.logout;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.SameOrigin;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.logout.Receipt.Outcome;
import dev.gatehouse.sp.session.AppCookie;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import java.util.Map;
import java.util.Optional;

/**
 * {@code /.gatehouse/logout}: ends the session here and asks the identity provider to end its own. A POST from our own
 * origin's pages and a GET from our own site's pages end it at once; a link from another site first shows a
 * confirmation page. An app whose Content Security Policy has a {@code form-action} must use the link, because the way
 * to the identity provider is a redirect.
 */
public final class LogoutEndpoint {

  /** The path of the logout endpoint. */
  public static final String PATH = SpPaths.PREFIX + "logout";

  private static final String FORM = "logout";

  private final ProviderLogout providers;
  private final AppSessions sessions;
  private final Receipt receipt;
  private final Pages pages;
  private final Refusals refusals;

  public LogoutEndpoint(
      ProviderLogout providers, AppSessions sessions, PartnerRegistry partners, Pages pages, Refusals refusals) {
    this.providers = providers;
    this.sessions = sessions;
    this.receipt = new Receipt(pages, partners);
    this.pages = pages;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    Optional<SessionToken> token = AppCookie.token(request);
    return switch (request.method()) {
      case "GET" -> isMeant(request) ? end(realm, request, token) : ask(realm, request, token);
      case "POST" -> post(realm, request, token);
      default -> refusals.methodNotAllowed(realm, request, "GET, POST");
    };
  }

  /**
   * Returns whether a person followed a link of our own site. Excludes requests that a browser sends in advance
   * (prefetch), and those for an image or frame in a page (W3C Fetch Metadata, sections 2.1 and 2.2).
   */
  private static boolean isMeant(EdgeRequest request) {
    return SameOrigin.isSameSite(request)
        && request.headers().first("Sec-Purpose").isEmpty()
        && request.headers().first("Sec-Fetch-Mode").orElse("navigate").equals("navigate")
        && request.headers().first("Sec-Fetch-Dest").orElse("document").equals("document");
  }

  private EdgeReply post(SpRealm realm, EdgeRequest request, Optional<SessionToken> token) {
    if (token.filter(own -> CsrfToken.isIn(request, own, FORM)).isPresent()) {
      return leave(realm, request, end(realm, request, token));
    }
    // Another site's POST arrives without our cookie; the GET request brings the cookie and shows the confirmation
    // page.
    return SameOrigin.sent(request) ? end(realm, request, token) : EdgeReply.seeOther(PATH);
  }

  private EdgeReply end(SpRealm realm, EdgeRequest request, Optional<SessionToken> token) {
    Optional<AppSession> open = token.flatMap(own -> sessions.load(realm.name(), own));
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    Optional<AppSession> ended = open.flatMap(session -> sessions.end(session.id(), "logout", context));
    EdgeReply reply =
        ended
            .map(session -> propagate(realm, request, session))
            .orElseGet(() -> receipt(realm, request, Outcome.NOT_LOGGED_IN, realm.sp().identityProvider()));
    return AppCookie.remove(reply, request.origin());
  }

  private EdgeReply propagate(SpRealm realm, EdgeRequest request, AppSession ended) {
    if (ended.login().identityProvider().equals(realm.sp().entityId())) {
      // No other party knew of the session.
      return receipt(realm, request, Outcome.DONE, ended.login().identityProvider());
    }
    return switch (providers.ask(realm, request, ended)) {
      case ProviderLogout.Asking.OnItsWay(EdgeReply reply) -> reply;
      case ProviderLogout.Asking.Known(Outcome outcome) -> receipt(realm, request, outcome, ended.login().identityProvider());
    };
  }

  private EdgeReply receipt(SpRealm realm, EdgeRequest request, Outcome outcome, String identityProvider) {
    return receipt.show(realm, request, outcome, identityProvider, "/");
  }

  private EdgeReply ask(SpRealm realm, EdgeRequest request, Optional<SessionToken> token) {
    Optional<AppSession> open = token.flatMap(own -> sessions.load(realm.name(), own));
    if (token.isEmpty() || open.isEmpty()) {
      return receipt(realm, request, Outcome.NOT_LOGGED_IN, realm.sp().identityProvider());
    }
    Map<String, Object> model = Map.of("action", PATH, "csrf", CsrfToken.of(token.get(), FORM), "user", open.get().account().user());
    return pages.render(request, Optional.of(realm.realm()), Page.of(200, "logout-question", model));
  }

  /**
   * The confirmation page may send its form only to this origin, and Chromium applies the same rule to redirects after
   * the form (CSP Level 3, form-action). A page that continues by itself therefore leads to the other origin.
   */
  private EdgeReply leave(SpRealm realm, EdgeRequest request, EdgeReply reply) {
    Optional<String> location = reply.headers().first("Location");
    if (location.isEmpty()) {
      return reply;
    }
    EdgeReply page =
        pages.render(
            request, Optional.of(realm.realm()), Page.of(200, "leaving", Map.of("location", location.get())));
    return AppCookie.remove(page.with("Refresh", "0;url=" + location.get()), request.origin());
  }
}
