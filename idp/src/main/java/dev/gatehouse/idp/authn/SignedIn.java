package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;
import java.util.function.Function;

/** Who is logged in in this browser, as the directory has them now, with the browser's token. */
public record SignedIn(IdpSession session, SessionToken token) {

  /** Answers for who is logged in; anybody else is sent to the login form. */
  public static EdgeReply only(IdpSessions sessions, RealmRequest request, Function<SignedIn, EdgeReply> answer) {
    Optional<IdpSession> session = sessions.current(request).flatMap(s -> sessions.upToDate(request, s));
    Optional<SessionToken> token = sessions.token(request);
    return session.isEmpty() || token.isEmpty()
        ? EdgeReply.seeOther(LoginEndpoint.address(request, Optional.empty()))
        : answer.apply(new SignedIn(session.get(), token.get()));
  }
}
