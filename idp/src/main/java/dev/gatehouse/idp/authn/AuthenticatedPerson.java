package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;
import java.util.function.Function;

/** Who is logged in in this browser, as the directory has them now, with the browser's token. */
public record AuthenticatedPerson(IdpSession session, SessionToken token) {

  /** Answers for who is logged in; anybody else is sent to the login form. */
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
