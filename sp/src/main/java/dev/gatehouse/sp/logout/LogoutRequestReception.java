package dev.gatehouse.sp.logout;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.backchannel.SoapReplies;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.sp.check.LogoutDestinationCheck;
import dev.gatehouse.sp.check.LogoutExpiryCheck;
import dev.gatehouse.sp.check.LogoutRequestCheck;
import dev.gatehouse.sp.check.LogoutTimesCheck;
import dev.gatehouse.sp.check.ReplayCheck;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LogoutMarks;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Handles an identity provider's LogoutRequest (SAML Core 3.7.3.1; Profiles 4.4.3.3). It ends the sessions that the
 * request names, which it finds by Issuer, NameID and SessionIndex and not by a cookie, and answers.
 *
 * <p>If no session is left, the answer is also Success: the requested state holds, and UnknownPrincipal would make the
 * provider report a failure for a session that merely expired.
 */
public final class LogoutRequestReception {

  private static final List<LogoutRequestCheck> BY_BROWSER =
      List.of(new LogoutDestinationCheck(SpConfig::slo), new LogoutTimesCheck(), new LogoutExpiryCheck());
  private static final List<LogoutRequestCheck> BY_SOAP =
      List.of(new LogoutDestinationCheck(SpConfig::soapSlo), new LogoutTimesCheck(), new LogoutExpiryCheck());

  private final SamlReader reader;
  private final SamlWriter writer;
  private final SoapReplies soap;
  private final PartnerRegistry partners;
  private final KeyRings keyRings;
  private final ReplayCheck replays;
  private final AppSessions sessions;
  private final LogoutMarks marks;
  private final Pages pages;
  private final Refusals refusals;
  private final InstantSource time;
  private final RandomGenerator random;

  public LogoutRequestReception(
      SamlReader reader,
      SamlWriter writer,
      PartnerRegistry partners,
      KeyRings keyRings,
      ReplayCheck replays,
      AppSessions sessions,
      LogoutMarks marks,
      Pages pages,
      Refusals refusals,
      InstantSource time,
      RandomGenerator random) {
    this.reader = reader;
    this.writer = writer;
    this.soap = new SoapReplies(writer);
    this.partners = partners;
    this.keyRings = keyRings;
    this.replays = replays;
    this.sessions = sessions;
    this.marks = marks;
    this.pages = pages;
    this.refusals = refusals;
    this.time = time;
    this.random = random;
  }

  /** Handles a request that a browser brings. */
  EdgeReply receive(SpRealm realm, EdgeRequest request) {
    return switch (reader.logoutRequest(request, senders(realm))) {
      case Result.Refused(SamlRefusal refusal) ->
          refusals.message(realm, request, "-", "LogoutRequest", refusal);
      case Result.Accepted(Received<LogoutRequest> received) ->
          refusal(realm, received.message(), BY_BROWSER)
              .map(why -> refusals.message(realm, request, received.message().issuer(), "LogoutRequest", why))
              .orElseGet(
                  () -> {
                    end(realm, request, received.message());
                    return answer(realm, request, received);
                  });
    };
  }

  /**
   * Handles a request that the identity provider's server sends (SAML Bindings 3.2). A message that cannot be read, or
   * whose signature is not the sender's, gets a SOAP Fault without details. An authentic message that is refused gets a
   * LogoutResponse.
   */
  EdgeReply receiveBySoap(SpRealm realm, EdgeRequest request) {
    if (!SamlReader.isSoap(request)) {
      SamlRefusal refusal = new SamlRefusal(Reason.NO_MESSAGE, "not a SOAP envelope");
      return soap.refused(refusals.audited(realm, request, "-", "LogoutRequest", refusal));
    }
    return switch (reader.logoutRequest(request, senders(realm))) {
      case Result.Refused(SamlRefusal refusal) ->
          soap.refused(refusals.audited(realm, request, "-", "LogoutRequest", refusal));
      case Result.Accepted(Received<LogoutRequest> received) -> {
        LogoutRequest message = received.message();
        Optional<SamlRefusal> refusal = refusal(realm, message, BY_SOAP);
        refusal.ifPresentOrElse(
            why -> refusals.audited(realm, request, message.issuer(), "LogoutRequest", why),
            () -> end(realm, request, message));
        SamlStatus status =
            refusal.isPresent()
                ? SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.REQUEST_DENIED)
                : SamlStatus.success();
        yield soap.message(response(realm, message.id(), Optional.empty(), status), key(realm));
      }
    };
  }

  private SamlReader.PartnerLookup senders(SpRealm realm) {
    SamlReader.PartnerLookup partner = issuer -> LogoutStart.identityProvider(partners, realm, issuer);
    return partner.decryptingWith(() -> keyRings.of(realm.realm()).decryption(KeyUse.SP_ENCRYPTION));
  }

  private Optional<SamlRefusal> refusal(SpRealm realm, LogoutRequest message, List<LogoutRequestCheck> checks) {
    Instant now = time.instant();
    return checks.stream()
        .map(check -> check.check(message, realm.sp(), now))
        .flatMap(Optional::stream)
        .findFirst()
        .or(
            () ->
                replays.mark(
                    realm.name(), message.issuer(), message.id(), LogoutExpiryCheck.acceptableUntil(message)));
  }

  private void end(SpRealm realm, EdgeRequest request, LogoutRequest message) {
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    // The mark comes before the lookup: a login that is being opened at this moment either sees the mark or is found.
    marks.mark(realm.name(), message);
    for (AppSession session :
        sessions.named(realm.name(), message.issuer(), message.nameId(), message.sessionIndexes())) {
      sessions.end(session.id(), "partner", context);
    }
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
        response(realm, received.message().id(), Optional.of(location), SamlStatus.success());
    SigningKey key = key(realm);
    if (endpoint.binding() == Binding.REDIRECT) {
      return EdgeReply.seeOther(writer.redirect(response, location, received.relayState(), key));
    }
    SamlWriter.PostForm form = writer.post(response, location, received.relayState(), key);
    String partner = Origin.of(URI.create(location)).toString();
    return pages.autoSubmit(request, Optional.of(realm.realm()), form, List.of(partner));
  }

  private LogoutResponse response(SpRealm realm, String requestId, Optional<String> destination, SamlStatus status) {
    return new LogoutResponse(
        SamlIds.create(random), time.instant(), realm.sp().entityId(), destination, Optional.of(requestId), status);
  }

  private SigningKey key(SpRealm realm) {
    return keyRings.of(realm.realm()).current(KeyUse.SP_SIGNING);
  }
}
