package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.saml.slo.RunningLogout.Initiator;
import java.util.List;
import java.util.Optional;

/**
 * SingleLogoutService by SOAP (SAML Profiles 4.4.3, Bindings 3.2): a service provider's LogoutRequest without a
 * browser. The other participants are also notified by SOAP, all in parallel, and the answer waits for them for five
 * seconds at most. If some participants could only be reached by a browser, the result is a PartialLogout.
 *
 * <p>A message that cannot be read, or whose signature is not the sender's, gets a SOAP Fault without details. An
 * authentic message that is refused gets a LogoutResponse (Bindings 3.2.3.3).
 */
final class SoapSloEndpoint implements Endpoint {

  static final String PATH = "saml/slo/soap";

  private final SamlReader reader;
  private final LogoutRequestRules rules;
  private final Logouts logouts;
  private final LogoutMessages messages;
  private final Refusals refusals;

  SoapSloEndpoint(
      SamlReader reader,
      LogoutRequestRules rules,
      Logouts logouts,
      LogoutMessages messages,
      Refusals refusals) {
    this.reader = reader;
    this.rules = rules;
    this.logouts = logouts;
    this.messages = messages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (!SamlReader.isSoap(request.http())) {
      return fault(request, new SamlRefusal(Reason.NO_MESSAGE, "not a SOAP envelope"));
    }
    return switch (reader.logoutRequest(request.http(), messages.senders(request))) {
      case Result.Refused(var refusal) -> fault(request, refusal);
      case Result.Accepted(var received) -> asked(request, received);
    };
  }

  private EdgeReply fault(RealmRequest request, SamlRefusal refusal) {
    return messages.soapFault(refusals.audited(request, "-", "LogoutRequest", refusal));
  }

  private EdgeReply asked(RealmRequest request, Received<LogoutRequest> received) {
    LogoutRequest message = received.message();
    Optional<SamlRefusal> refusal = rules.check(request, received, request.location(PATH));
    if (refusal.isPresent()) {
      refusals.audited(request, message.issuer(), "LogoutRequest", refusal.get());
      SamlStatus denied = SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.REQUEST_DENIED);
      return messages.soapAnswer(request, message.id(), denied);
    }
    List<IdpSession> ended = rules.end(request, message);
    Initiator initiator = new Initiator(message.issuer(), message.id(), Optional.empty(), Optional.empty(), Optional.empty());
    List<ParticipantStatus> participants = ended.isEmpty() ? List.of() : logouts.notifyParticipants(request, ended, initiator);
    return messages.soapAnswer(request, message.id(), LogoutMessages.status(participants));
  }
}
