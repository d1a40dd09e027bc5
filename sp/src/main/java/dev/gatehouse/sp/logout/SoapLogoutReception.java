package dev.gatehouse.sp.logout;

import dev.gatehouse.common.backchannel.SoapReplies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Handles a LogoutRequest that the identity provider's server sends (SAML Bindings 3.2): ends the sessions that it names, and
 * answers. As {@link LogoutRequestReception}, it answers Success if no session is left.
 */
final class SoapLogoutReception {

  private final LogoutRequestValidator validator;
  private final SamlLogouts logouts;
  private final SoapReplies soap;
  private final KeyRings keyRings;
  private final Refusals refusals;
  private final InstantSource time;
  private final RandomGenerator random;

  SoapLogoutReception(
      LogoutRequestValidator validator,
      SamlLogouts logouts,
      SamlWriter writer,
      KeyRings keyRings,
      Refusals refusals,
      InstantSource time,
      RandomGenerator random) {
    this.validator = validator;
    this.logouts = logouts;
    this.soap = new SoapReplies(writer);
    this.keyRings = keyRings;
    this.refusals = refusals;
    this.time = time;
    this.random = random;
  }

  /**
   * A message that cannot be read, or whose signature is not the sender's, gets a SOAP Fault without details. An authentic
   * message that is refused gets a LogoutResponse.
   */
  EdgeReply receive(SpRealm realm, EdgeRequest request) {
    if (!SamlReader.isSoap(request)) {
      SamlRefusal refusal = new SamlRefusal(Reason.NO_MESSAGE, "not a SOAP envelope");
      return soap.refused(refusals.audited(realm, request, "-", "LogoutRequest", refusal));
    }
    return switch (validator.read(realm, request)) {
      case Result.Refused(SamlRefusal refusal) ->
          soap.refused(refusals.audited(realm, request, "-", "LogoutRequest", refusal));
      case Result.Accepted(Received<LogoutRequest> received) -> answer(realm, request, received.message());
    };
  }

  private EdgeReply answer(SpRealm realm, EdgeRequest request, LogoutRequest message) {
    Optional<SamlRefusal> refusal = validator.refusal(realm, message, LogoutRequestValidator.BY_SOAP);
    refusal.ifPresentOrElse(
        why -> refusals.audited(realm, request, message.issuer(), "LogoutRequest", why),
        () -> logouts.end(realm, request, message));
    SamlStatus status =
        refusal.isPresent() ? SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.REQUEST_DENIED) : SamlStatus.success();
    LogoutResponse response =
        new LogoutResponse(
            SamlIds.create(random),
            time.instant(),
            realm.sp().entityId(),
            Optional.empty(),
            Optional.of(message.id()),
            status);
    return soap.message(response, keyRings.of(realm.realm()).current(KeyUse.SP_SIGNING));
  }
}
