package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.DeviceKeys;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import java.util.Optional;
import java.util.function.Function;

/** The person who is logged in in this browser, with the directory's current data, and the browser's token. */
public record AuthenticatedPerson(IdpSession session, SessionToken token) {

  /**
   * Answers a request for a page with a form: shows the page, or makes the change that the form asks for if a page of ours sent it.
   * Redirects to the login form if nobody is logged in.
   *
   * @param form its name in {@link CsrfToken}
   */
  public static EdgeReply onPage(
      IdpSessions sessions,
      Refusals refusals,
      RealmRequest request,
      String form,
      Function<AuthenticatedPerson, EdgeReply> show,
      Function<AuthenticatedPerson, EdgeReply> change) {
    Optional<AuthenticatedPerson> person = of(sessions, request);
    if (person.isEmpty()) {
      return EdgeReply.seeOther(
          request.http().isGet() && sessions.waitsForProof(request)
              ? DeviceKeys.page(request, request.http().path())
              : LoginEndpoint.address(request, Optional.empty()));
    }
    AuthenticatedPerson me = person.get();
    if (request.http().isGet()) {
      return show.apply(me);
    }
    return CsrfToken.isIn(request.http(), me.token(), form)
        ? change.apply(me)
        : refusals.page(request, 403, "cross-site", "CSRF");
  }

  public static Optional<AuthenticatedPerson> of(IdpSessions sessions, RealmRequest request) {
    Optional<IdpSession> session = sessions.current(request).flatMap(s -> sessions.upToDate(request, s));
    return session.flatMap(s -> sessions.token(request).map(token -> new AuthenticatedPerson(s, token)));
  }

  /** Returns the id to which this browser's enrolments are bound. */
  public String browser() {
    return token.id().value();
  }
}
