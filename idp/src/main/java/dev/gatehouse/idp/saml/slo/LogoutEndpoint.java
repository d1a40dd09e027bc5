package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.EndCause;
import dev.gatehouse.idp.session.DeviceKeys;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.StateCookie;
import java.util.Map;
import java.util.Optional;

/**
 * Logout by the person at the identity provider. GET shows the question, so any page may link to it; POST performs the
 * logout. Every app of the session is notified.
 */
final class LogoutEndpoint implements Endpoint {

  private final IdpSessions sessions;
  private final Logouts logouts;
  private final Pages pages;

  LogoutEndpoint(IdpSessions sessions, Logouts logouts, Pages pages) {
    this.sessions = sessions;
    this.logouts = logouts;
    this.pages = pages;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (sessions.waitsForProof(request)) {
      return EdgeReply.seeOther(DeviceKeys.page(request, request.here("logout")));
    }
    Optional<IdpSession> here = sessions.current(request);
    // Ending a session needs no key, but who is logged in is told at the device of the login only.
    Optional<IdpSession> session = here.or(() -> sessions.sent(request));
    Optional<SessionToken> token = sessions.token(request);
    if (session.isEmpty() || token.isEmpty()) {
      return page(request, "slo-done", Map.of());
    }
    if (request.http().isGet()
        || !CsrfToken.isIn(request.http(), token.get(), "account")) {
      // A POST without our token gets the question, like a GET: this costs only one more click.
      return page(
          request,
          "slo-question",
          Map.of(
              "action", request.here("logout"),
              "csrf", CsrfToken.of(token.get(), "account"),
              "ask", Optional.empty(),
              "name", here.map(known -> known.snapshot().details().name()).orElse("")));
    }
    SessionId id = session.get().id();
    EdgeReply reply =
        ended(request, id, here.isPresent())
            .flatMap(gone -> logouts.begin(request, gone))
            .map(EdgeReply::seeOther)
            .orElseGet(() -> page(request, "slo-done", Map.of()));
    return StateCookie.remove(request, reply.with("Set-Cookie", sessions.removeCookie(request)));
  }

  /** Returns the session whose participants this browser may notify; elsewhere, the servers do it. */
  private Optional<IdpSession> ended(RealmRequest request, SessionId id, boolean isHere) {
    String realm = request.realm().name();
    if (isHere) {
      return sessions.end(request.context(), realm, id, EndCause.LOGOUT);
    }
    sessions.endAndNotify(request.context(), realm, id, EndCause.LOGOUT);
    return Optional.empty();
  }

  private EdgeReply page(RealmRequest request, String template, Map<String, Object> model) {
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(200, template, model));
  }
}
