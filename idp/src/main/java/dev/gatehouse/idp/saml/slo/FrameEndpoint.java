package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.saml.slo.RunningLogout.Destination;
import dev.gatehouse.idp.saml.slo.RunningLogout.Target;
import dev.gatehouse.idp.session.IdpSessions;
import java.util.List;
import java.util.Optional;

/**
 * Sends one participant its LogoutRequest, or opens a client's page. A frame of the receipt page loads it, and so does
 * the plain link for a participant that did not answer. Each LogoutRequest has a new ID, because participants refuse an
 * ID that they have seen. Another browser than that of the session gets none.
 */
final class FrameEndpoint implements Endpoint {

  private final Logouts logouts;
  private final LogoutMessages messages;
  private final IdpSessions sessions;
  private final Refusals refusals;

  FrameEndpoint(Logouts logouts, LogoutMessages messages, IdpSessions sessions, Refusals refusals) {
    this.logouts = logouts;
    this.messages = messages;
    this.sessions = sessions;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Parameters query = request.http().queryParameters();
    String id = query.one("id").orElse("");
    boolean isItsBrowser = new LogoutId(id).isFor(sessions.token(request).map(SessionToken::id));
    Optional<RunningLogout> logout = logouts.find(request, id).filter(_ -> isItsBrowser);
    int number = query.one("n").filter(n -> n.matches("[0-9]{1,3}")).map(Integer::parseInt).orElse(-1);
    List<Target> targets = logout.map(RunningLogout::targets).orElse(List.of());
    if (number < 0 || number >= targets.size() || targets.get(number).ways().front().isEmpty()) {
      return refusals.page(request, 400, "expired", "NO_SUCH_LOGOUT");
    }
    Target target = targets.get(number);
    Destination destination = target.ways().front().get();
    if (target.isClient()) {
      logouts.framed(request, id, logout.get(), number);
      return EdgeReply.seeOther(destination.location());
    }
    LogoutRequest message = messages.request(request, logout.get(), target, destination);
    logouts.asked(message.id(), id, number);
    return messages
        .ask(request, logout.get(), target, message, destination)
        .orElseGet(() -> refusals.page(request, 503, "partner-unavailable", "PARTNER_CANNOT_BE_ASKED"));
  }
}
