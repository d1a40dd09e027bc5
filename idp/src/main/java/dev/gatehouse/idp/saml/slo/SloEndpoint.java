package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.StateCookie;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.saml.DestinationCheck;
import dev.gatehouse.idp.saml.SpPartners;
import dev.gatehouse.idp.saml.slo.RunningLogout.Initiator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * SingleLogoutService (SAML Profiles 4.4.3): LogoutRequests of service providers, and their LogoutResponses to our
 * requests, which arrive in frames of the receipt page.
 */
final class SloEndpoint implements Endpoint {

  private final SamlReader reader;
  private final SpPartners partners;
  private final IdpSessions sessions;
  private final Logouts logouts;
  private final LogoutMessages messages;
  private final LogoutRequestRules rules;
  private final Pages pages;
  private final Refusals refusals;

  SloEndpoint(
      SamlReader reader,
      SpPartners partners,
      IdpSessions sessions,
      Logouts logouts,
      LogoutMessages messages,
      LogoutRequestRules rules,
      Pages pages,
      Refusals refusals) {
    this.reader = reader;
    this.partners = partners;
    this.sessions = sessions;
    this.logouts = logouts;
    this.messages = messages;
    this.rules = rules;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Optional<SamlReader.Kind> kind = SamlReader.kind(request.http());
    if (kind.isEmpty()) {
      return refusals.message(request, "-", "LogoutRequest", new SamlRefusal(Reason.NO_MESSAGE, "no SAML message"));
    }
    return switch (kind.get()) {
      case REQUEST ->
          switch (reader.logoutRequest(request.http(), messages.senders(request))) {
            case Result.Refused(var refusal) ->
                refusals.message(request, "-", "LogoutRequest", refusal);
            case Result.Accepted(var received) -> asked(request, received);
          };
      case RESPONSE ->
          switch (reader.logoutResponse(request.http(), messages.senders(request))) {
            case Result.Refused(var refusal) ->
                refusals.message(request, "-", "LogoutResponse", refusal);
            case Result.Accepted(var received) -> answered(request, received);
          };
    };
  }

  private EdgeReply asked(RealmRequest request, Received<LogoutRequest> received) {
    LogoutRequest message = received.message();
    Optional<SamlRefusal> refusal = rules.check(request, received, request.location("saml/slo"));
    if (refusal.isPresent()) {
      return refusals.message(request, message.issuer(), "LogoutRequest", refusal.get());
    }
    Initiator initiator =
        new Initiator(
            message.issuer(),
            message.id(),
            received.relayState(),
            SloLocations.forResponses(partners.find(request.realm().name(), message.issuer()), received.binding()),
            Optional.empty());
    List<IdpSession> ended = rules.end(request, message);
    return ended.isEmpty() ? answer(request, initiator, SamlStatus.success()) : notified(request, ended, initiator);
  }

  /**
   * Notifies the participants through this browser if one of the sessions was its own. Elsewhere the servers do it, because the page and
   * its frames would tell the sender what the person uses, and under which names.
   */
  private EdgeReply notified(RealmRequest request, List<IdpSession> ended, Initiator initiator) {
    Optional<SessionId> mine = sessions.token(request).map(SessionToken::id);
    if (ended.stream().anyMatch(session -> mine.filter(session.id()::equals).isPresent())) {
      EdgeReply reply = receipt(request, logouts.begin(request, ended, Optional.of(initiator)), initiator);
      return StateCookie.remove(request, reply.with("Set-Cookie", sessions.removeCookie(request)));
    }
    if (mine.isEmpty() && !request.http().isGet()) {
      // A POST from another site comes without our cookies; the page after it has them.
      return receipt(request, logouts.beginWithoutCookies(request, ended, initiator), initiator);
    }
    return answer(request, initiator, LogoutMessages.status(logouts.notifyParticipants(request, ended, initiator)));
  }

  private EdgeReply receipt(RealmRequest request, Optional<String> path, Initiator initiator) {
    return path.map(EdgeReply::seeOther).orElseGet(() -> answer(request, initiator, SamlStatus.success()));
  }

  private EdgeReply answer(RealmRequest request, Initiator initiator, SamlStatus status) {
    return initiator
        .answer()
        .map(destination -> messages.answer(request, initiator, destination, status))
        .orElseGet(
            () -> pages.render(request.http(), Optional.of(request.realm()), Page.of(200, "slo-done", Map.of())));
  }

  private EdgeReply answered(RealmRequest request, Received<LogoutResponse> received) {
    LogoutResponse message = received.message();
    Optional<SamlRefusal> misdirected = DestinationCheck.check(received, request.location("saml/slo"));
    if (misdirected.isPresent()) {
      return refusals.message(request, message.issuer(), "LogoutResponse", misdirected.get());
    }
    String requestId = message.inResponseTo().orElse("");
    Optional<LogoutParticipantRef> ref = logouts.ref(requestId);
    Optional<RunningLogout> logout = ref.flatMap(r -> logouts.find(request, r.logout()));
    if (ref.isEmpty()
        || logout.isEmpty()
        || !logout.get().targets().get(ref.get().target()).partner().equals(message.issuer())) {
      return refusals.message(
          request,
          message.issuer(),
          "LogoutResponse",
          new SamlRefusal(Reason.IN_RESPONSE_TO, "no LogoutRequest of ours to this partner"));
    }
    logouts.answered(request, requestId, logout.get(), ref.get(), LogoutDeliveryResult.of(message.status()));
    return frameReply(request, ref.get().logout(), logout.get());
  }

  /** The content of the frame after an answer. The last answer also reloads the surrounding page, if scripts run. */
  private EdgeReply frameReply(RealmRequest request, String id, RunningLogout logout) {
    boolean last = !logouts.outcomes(id, logout).contains(ParticipantStatus.WAITING);
    Map<String, Object> model = new HashMap<>();
    model.put("receipt", request.here("logout/receipt"));
    model.put("id", id);
    Page.Policy policy = new Page.Policy(List.of(), List.of(logout.origin()), last, 0);
    return pages.render(request.http(), Optional.of(request.realm()), new Page(200, "slo-continue", model, policy));
  }
}
