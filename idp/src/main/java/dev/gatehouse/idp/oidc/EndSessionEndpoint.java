package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.oidc.EndSessionRequests.Reading;
import dev.gatehouse.idp.oidc.EndSessionRequests.Refusal;
import dev.gatehouse.idp.saml.slo.Logouts;
import dev.gatehouse.idp.session.EndCause;
import dev.gatehouse.idp.session.DeviceKeys;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.StateCookie;
import java.util.Map;
import java.util.Optional;

/**
 * Logout requested by a client (OpenID Connect RP-Initiated Logout 1.0). With an ID token of the person who is logged
 * in here, the session ends at once; otherwise the person is asked. All other participants of the session are notified
 * as in any logout, and the receipt leads back to the client. A POST from another site comes without our cookies, so it
 * continues as a GET.
 */
final class EndSessionEndpoint implements Endpoint {

  static final String PATH = "oauth/logout";

  private static final String FORM = "end-session";

  private final EndSessionRequests requests;
  private final IdpSessions sessions;
  private final Clients clients;
  private final Subjects subjects;
  private final Logouts logouts;
  private final Pages pages;
  private final Refusals refusals;

  EndSessionEndpoint(
      EndSessionRequests requests,
      IdpSessions sessions,
      Clients clients,
      Subjects subjects,
      Logouts logouts,
      Pages pages,
      Refusals refusals) {
    this.requests = requests;
    this.sessions = sessions;
    this.clients = clients;
    this.subjects = subjects;
    this.logouts = logouts;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    boolean isPost = !request.http().isGet();
    Parameters parameters = isPost ? request.http().formParameters() : request.http().queryParameters();
    Optional<String> sealed = parameters.one("ask");
    if (sealed.isPresent()) {
      return requests
          .open(request, sealed.get())
          .map(asked -> go(request, asked, isPost))
          .orElseGet(() -> refusals.page(request, 400, "expired", "LOGOUT_NOT_OURS"));
    }
    return switch (requests.read(request, parameters)) {
      case Reading.Refused(Refusal refusal) ->
          refusals.client(
              request, parameters.one("client_id").orElse("-"), "logout request", refusal.name(), "");
      case Reading.Accepted(EndSessionRequest asked) ->
          isPost
              ? EdgeReply.seeOther(request.here(PATH) + "?ask=" + requests.seal(asked))
              : go(request, asked, false);
    };
  }

  /** @param afterForm whether the person has been asked */
  private EdgeReply go(RealmRequest sent, EndSessionRequest asked, boolean afterForm) {
    RealmRequest request = sent.speaking(asked.uiLocales());
    if (sessions.waitsForProof(request)) {
      return EdgeReply.seeOther(DeviceKeys.page(request, request.here(PATH) + "?ask=" + requests.seal(asked)));
    }
    Optional<IdpSession> here = sessions.current(request);
    // Ending a session needs no key, but who is logged in is told at the device of the login only.
    Optional<IdpSession> session = here.or(() -> sessions.sent(request));
    Optional<SessionToken> token = sessions.token(request);
    if (session.isEmpty() || token.isEmpty()) {
      return redirect(request, asked.returnTo(), afterForm);
    }
    boolean agreed = afterForm && CsrfToken.isIn(request.http(), token.get(), FORM);
    return agreed || isMeant(request, asked, session.get())
        ? end(request, asked, session.get(), here.isPresent(), afterForm)
        : question(request, asked, here.map(known -> known.snapshot().details().name()), token.get());
  }

  /** Returns whether the ID token names the person who is logged in here. */
  private boolean isMeant(RealmRequest request, EndSessionRequest asked, IdpSession session) {
    return asked
        .clientId()
        .flatMap(id -> clients.find(request.realm(), id))
        .map(client -> subjects.subject(request.realm(), client, session.person()))
        .filter(subject -> asked.subject().filter(subject::equals).isPresent())
        .isPresent();
  }

  private EdgeReply end(RealmRequest request, EndSessionRequest asked, IdpSession session, boolean isHere, boolean afterForm) {
    String realm = request.realm().name();
    Optional<IdpSession> ended =
        isHere
            ? sessions.end(request.context(), realm, session.id(), EndCause.LOGOUT)
            : sessions.endAndNotify(request.context(), realm, session.id(), EndCause.LOGOUT);
    // Elsewhere the servers notify the participants, which the page would list.
    Optional<String> receipt = ended.filter(gone -> isHere).flatMap(gone -> begin(request, asked, gone));
    EdgeReply reply =
        redirect(request, receipt.or(asked::returnTo), afterForm).with("Set-Cookie", sessions.removeCookie(request));
    return StateCookie.remove(request, reply);
  }

  private Optional<String> begin(RealmRequest request, EndSessionRequest asked, IdpSession ended) {
    return asked.returnTo().isPresent() && asked.clientId().isPresent()
        ? logouts.begin(request, ended, asked.clientId().get(), asked.returnTo().get())
        : logouts.begin(request, ended);
  }

  private EdgeReply question(RealmRequest request, EndSessionRequest asked, Optional<String> name, SessionToken token) {
    return page(
        request,
        "slo-question",
        Map.of(
            "action", request.here(PATH),
            "csrf", CsrfToken.of(token, FORM),
            "ask", Optional.of(requests.seal(asked)),
            "name", name.orElse("")));
  }

  /**
   * After one of our forms, a page continues instead of a redirect: Chromium applies that page's form-action to the
   * redirects that follow a form.
   */
  private EdgeReply redirect(RealmRequest request, Optional<String> to, boolean afterForm) {
    if (to.isEmpty()) {
      return page(request, "slo-done", Map.of());
    }
    return afterForm
        ? page(request, "redirect", Map.of("location", to.get())).with("Refresh", "0;url=" + to.get())
        : EdgeReply.seeOther(to.get());
  }

  private EdgeReply page(RealmRequest request, String template, Map<String, Object> model) {
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(200, template, model));
  }
}
