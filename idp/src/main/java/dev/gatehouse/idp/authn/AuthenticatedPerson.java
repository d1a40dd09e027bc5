package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import java.util.Optional;
import java.util.function.Function;

/** The person who is logged in in this browser, with the directory's current data, and the browser's token. */
public record AuthenticatedPerson(IdpSession session, SessionToken token) {

  /** Answers for the logged-in person; redirects to the login form if nobody is logged in. */
  public static EdgeReply only(IdpSessions sessions, RealmRequest request, Function<AuthenticatedPerson, EdgeReply> answer) {
    return of(sessions, request)
        .map(answer)
        .orElseGet(() -> EdgeReply.seeOther(LoginEndpoint.address(request, Optional.empty())));
  }

  public static Optional<AuthenticatedPerson> of(IdpSessions sessions, RealmRequest request) {
    Optional<IdpSession> session = sessions.current(request).flatMap(s -> sessions.upToDate(request, s));
    return session.flatMap(s -> sessions.token(request).map(token -> new AuthenticatedPerson(s, token)));
  }
}
