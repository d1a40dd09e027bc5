package dev.gatehouse.sp.logout;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.logout.Receipt.Outcome;

/**
 * Handles the identity provider's answer to a LogoutRequest of ours (SAML Core 3.7.2), matches it by InResponseTo, and
 * shows the receipt. The session ended before the request was sent, so nothing depends on the answer.
 */
public final class LogoutResponseReception {

  private final SamlReader reader;
  private final PartnerRegistry partners;
  private final LogoutStart start;
  private final Receipt receipt;
  private final AuditLog audit;
  private final Refusals refusals;

  public LogoutResponseReception(
      SamlReader reader,
      PartnerRegistry partners,
      LogoutStart start,
      Pages pages,
      AuditLog audit,
      Refusals refusals) {
    this.reader = reader;
    this.partners = partners;
    this.start = start;
    this.receipt = new Receipt(pages, partners);
    this.audit = audit;
    this.refusals = refusals;
  }

  EdgeReply receive(SpRealm realm, EdgeRequest request) {
    return switch (reader.logoutResponse(request, issuer -> LogoutStart.identityProvider(partners, realm, issuer))) {
      case Result.Refused(SamlRefusal refusal) ->
          refusals.message(realm, request, "-", "LogoutResponse", refusal);
      case Result.Accepted(Received<LogoutResponse> received) ->
          match(realm, request, received.message());
    };
  }

  private EdgeReply match(SpRealm realm, EdgeRequest request, LogoutResponse response) {
    if (response.destination().filter(realm.sp().slo()::equals).isEmpty()) {
      return refuse(realm, request, response, Reason.DESTINATION, "Destination is not our SingleLogoutService");
    }
    TakeResult<PendingLogout> taken =
        response
            .inResponseTo()
            .map(id -> start.pendings().take(id, pending -> fits(pending, realm, response)))
            .orElseGet(TakeResult.Absent::new);
    return switch (taken) {
      case TakeResult.First<PendingLogout>(PendingLogout logout) -> done(realm, request, response, logout);
      case TakeResult.Replayed<PendingLogout> replayed ->
          // The page was loaded again. It shows the status of the signed answer, and its link leads to the start page.
          receipt.show(realm, request, Outcome.of(response.status()), response.issuer(), "/");
      case TakeResult.Absent<PendingLogout> absent ->
          refuse(realm, request, response, Reason.IN_RESPONSE_TO, "no LogoutRequest of ours to this partner waits for it");
    };
  }

  private static boolean fits(PendingLogout pending, SpRealm realm, LogoutResponse response) {
    return pending.realm().equals(realm.name()) && pending.identityProvider().equals(response.issuer());
  }

  private EdgeReply done(SpRealm realm, EdgeRequest request, LogoutResponse response, PendingLogout logout) {
    Outcome outcome = Outcome.of(response.status());
    audit.record(
        new AuditEvent.LogoutPropagated(
            AuditEvent.Context.of(realm.name(), request.client()),
            response.issuer(),
            logout.person(),
            outcome == Outcome.DONE ? "done" : "failed"));
    return receipt.show(realm, request, outcome, response.issuer(), logout.back());
  }

  private EdgeReply refuse(
      SpRealm realm, EdgeRequest request, LogoutResponse response, Reason reason, String detail) {
    return refusals.message(realm, request, response.issuer(), "LogoutResponse", new SamlRefusal(reason, detail));
  }
}
