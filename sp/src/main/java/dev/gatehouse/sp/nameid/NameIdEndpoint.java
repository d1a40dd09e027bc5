package dev.gatehouse.sp.nameid;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.nameid.NameIdParty;
import dev.gatehouse.common.nameid.ManageNameIdReceiver;
import dev.gatehouse.common.nameid.ManageNameIdReceiver.ManageNameIdOutcome;
import dev.gatehouse.common.nameid.PendingNameIdChange;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;

/**
 * ManageNameIDService (SAML Profiles 4.5) at the home origin: {@code /.gatehouse/saml/nameid} for browsers,
 * {@code /.gatehouse/saml/nameid/soap} for SOAP.
 */
public final class NameIdEndpoint {

  /** The path at the home origin. */
  public static final String PATH = "/.gatehouse/saml/nameid";

  public static final String SOAP_PATH = PATH + "/soap";

  private final ManageNameIdReceiver reception;
  private final LinkChanges changes;
  private final Refusals refusals;

  public NameIdEndpoint(ManageNameIdReceiver reception, LinkChanges changes, Refusals refusals) {
    this.reception = reception;
    this.changes = changes;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    boolean soap = request.path().equals(SOAP_PATH);
    if (!request.method().equals("POST") && (soap || !request.method().equals("GET"))) {
      return refusals.methodNotAllowed(realm, request, soap ? "POST" : "GET, POST");
    }
    NameIdParty self = changes.party(realm.realm(), realm.sp());
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    return switch (soap ? reception.bySoap(self, request) : reception.byBrowser(self, request)) {
      case ManageNameIdOutcome.Requested(Received<ManageNameIdRequest> received) ->
          changes
              .carryOut(context, received)
              .map(declined -> declined(realm, request, self, declined))
              .orElseGet(() -> reception.answer(self, request, received, SamlStatus.success()));
      case ManageNameIdOutcome.Declined declined -> declined(realm, request, self, declined);
      case ManageNameIdOutcome.Answered(PendingNameIdChange sent, SamlStatus status) -> {
        changes.answered(context, sent, status);
        yield EdgeReply.seeOther(sent.back() + (status.isSuccess() ? "delivered" : "not-delivered"));
      }
      case ManageNameIdOutcome.Refused(String partner, String message, SamlRefusal refusal) -> {
        if (!soap) {
          yield refusals.message(realm, request, partner, message, refusal);
        }
        refusals.audited(realm, request, partner, message, refusal);
        yield reception.soapRefusal();
      }
    };
  }

  private EdgeReply declined(SpRealm realm, EdgeRequest request, NameIdParty self, ManageNameIdOutcome.Declined declined) {
    Received<ManageNameIdRequest> received = declined.request();
    refusals.audited(realm, request, received.message().issuer(), "ManageNameIDRequest", declined.refusal());
    return reception.answer(self, request, received, declined.status());
  }
}
