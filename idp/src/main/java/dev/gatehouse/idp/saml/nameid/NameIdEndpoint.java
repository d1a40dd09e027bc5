package dev.gatehouse.idp.saml.nameid;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.nameid.NameIdParty;
import dev.gatehouse.common.nameid.ManageNameIdReceiver;
import dev.gatehouse.common.nameid.ManageNameIdReceiver.ManageNameIdOutcome;
import dev.gatehouse.common.nameid.PendingNameIdChange;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import java.util.Optional;

/** ManageNameIDService (SAML Profiles 4.5), for browsers ({@link #PATH}) and for SOAP ({@link #SOAP_PATH}). */
final class NameIdEndpoint implements Endpoint {

  static final String PATH = "saml/nameid";
  static final String SOAP_PATH = "saml/nameid/soap";

  private final ManageNameIdReceiver reception;
  private final NameIdChanges changes;
  private final Refusals refusals;
  private final boolean soap;

  NameIdEndpoint(ManageNameIdReceiver reception, NameIdChanges changes, Refusals refusals, boolean soap) {
    this.reception = reception;
    this.changes = changes;
    this.refusals = refusals;
    this.soap = soap;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    NameIdParty self = changes.party(request.realm(), request.idp());
    ManageNameIdOutcome arrival = soap ? reception.bySoap(self, request.http()) : reception.byBrowser(self, request.http());
    return switch (arrival) {
      case ManageNameIdOutcome.Requested(Received<ManageNameIdRequest> received) ->
          changes
              .carryOut(request.context(), received)
              .map(declined -> declined(request, self, declined))
              .orElseGet(() -> reception.answer(self, request.http(), received, SamlStatus.success()));
      case ManageNameIdOutcome.Declined declined -> declined(request, self, declined);
      case ManageNameIdOutcome.Answered(PendingNameIdChange sent, SamlStatus status) -> {
        changes.answered(request.context(), sent, status);
        yield EdgeReply.seeOther(sent.back() + (status.isSuccess() ? "delivered" : "not-delivered"));
      }
      case ManageNameIdOutcome.Refused(String partner, String message, SamlRefusal refusal) -> {
        if (!soap) {
          yield refusals.message(request, partner, message, refusal);
        }
        refusals.audited(request, partner, message, refusal);
        yield reception.soapRefusal();
      }
    };
  }

  private EdgeReply declined(RealmRequest request, NameIdParty self, ManageNameIdOutcome.Declined declined) {
    Received<ManageNameIdRequest> received = declined.request();
    refusals.audited(request, received.message().issuer(), "ManageNameIDRequest", declined.refusal());
    return reception.answer(self, request.http(), received, declined.status());
  }
}
