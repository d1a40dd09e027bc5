package dev.gatehouse.sp.logout;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.sp.edge.FrontChannel;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Handles an identity provider's LogoutRequest that a browser brings (SAML Core 3.7.3.1; Profiles 4.4.3.3). It ends the sessions that the
 * request names, which it finds by Issuer, NameID and SessionIndex and not by a cookie, and answers.
 *
 * <p>If no session is left, the answer is also Success: the requested state holds, and UnknownPrincipal would make the
 * provider report a failure for a session that merely expired.
 */
final class LogoutRequestReception {

  private final LogoutRequestValidator validator;
  private final SamlLogouts logouts;
  private final PartnerRegistry partners;
  private final FrontChannel frontChannel;
  private final Refusals refusals;
  private final InstantSource time;
  private final RandomGenerator random;

  LogoutRequestReception(
      LogoutRequestValidator validator,
      SamlLogouts logouts,
      PartnerRegistry partners,
      FrontChannel frontChannel,
      Refusals refusals,
      InstantSource time,
      RandomGenerator random) {
    this.validator = validator;
    this.logouts = logouts;
    this.partners = partners;
    this.frontChannel = frontChannel;
    this.refusals = refusals;
    this.time = time;
    this.random = random;
  }

  EdgeReply receive(SpRealm realm, EdgeRequest request) {
    return switch (validator.read(realm, request)) {
      case Result.Refused(SamlRefusal refusal) -> refusals.message(realm, request, "-", "LogoutRequest", refusal);
      case Result.Accepted(Received<LogoutRequest> received) -> {
        LogoutRequest message = received.message();
        Optional<SamlRefusal> refusal = validator.refusal(realm, message, LogoutRequestValidator.BY_BROWSER);
        if (refusal.isPresent()) {
          yield refusals.message(realm, request, message.issuer(), "LogoutRequest", refusal.get());
        }
        logouts.end(realm, request, message);
        yield answer(realm, request, received);
      }
    };
  }

  private EdgeReply answer(SpRealm realm, EdgeRequest request, Received<LogoutRequest> received) {
    String issuer = received.message().issuer();
    Result<PartnerMetadata, SamlRefusal> metadata = partners.metadata(realm.name(), issuer);
    Optional<Endpoint> endpoint =
        metadata instanceof Result.Accepted(PartnerMetadata usable)
            ? LogoutStart.endpointForAnswer(usable, received.binding())
            : Optional.empty();
    if (endpoint.isEmpty()) {
      SamlRefusal refusal = new SamlRefusal(Reason.NO_ENDPOINT, "no SingleLogoutService to answer to");
      return refusals.message(realm, request, issuer, "LogoutRequest", refusal);
    }
    return send(realm, request, received, endpoint.get());
  }

  private EdgeReply send(SpRealm realm, EdgeRequest request, Received<LogoutRequest> received, Endpoint endpoint) {
    String location = endpoint.locationForResponses();
    LogoutResponse response =
        new LogoutResponse(
            SamlIds.create(random),
            time.instant(),
            realm.sp().entityId(),
            Optional.of(location),
            Optional.of(received.message().id()),
            SamlStatus.success());
    if (endpoint.binding() == Binding.REDIRECT) {
      return frontChannel.redirect(realm, response, location, received.relayState());
    }
    String partner = Origin.of(URI.create(location)).toString();
    return frontChannel.post(realm, request, response, location, received.relayState(), List.of(partner));
  }
}
