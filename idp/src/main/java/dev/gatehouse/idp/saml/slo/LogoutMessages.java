package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.backchannel.SoapReplies;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.saml.SpPartners;
import dev.gatehouse.idp.saml.SpPartners.Sp;
import dev.gatehouse.idp.saml.slo.RunningLogout.Destination;
import dev.gatehouse.idp.saml.slo.RunningLogout.Initiator;
import dev.gatehouse.idp.saml.slo.RunningLogout.Target;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Writes our signed LogoutRequests and LogoutResponses, as replies that make a browser deliver them. */
final class LogoutMessages {

  /**
   * Not all participants have confirmed (SAML Core 3.7.3.2). The top-level status is Success: our session has ended in
   * any case, and some service providers do not end theirs when they read a failure.
   */
  private static final SamlStatus PARTIAL = SamlStatus.of(SamlStatus.SUCCESS, SamlStatus.PARTIAL_LOGOUT);

  private static final Duration LIFE = Duration.ofMinutes(5);

  private final SpPartners partners;
  private final KeyRings keys;
  private final SamlWriter writer;
  private final Pages pages;
  private final InstantSource clock;
  private final RandomGenerator random;

  LogoutMessages(
      SpPartners partners,
      KeyRings keys,
      SamlWriter writer,
      Pages pages,
      InstantSource clock,
      RandomGenerator random) {
    this.partners = partners;
    this.keys = keys;
    this.writer = writer;
    this.pages = pages;
    this.clock = clock;
    this.random = random;
  }

  /** The status for the initiator of a logout, from those of the participants. */
  static SamlStatus status(List<ParticipantStatus> participants) {
    return participants.stream().allMatch(ParticipantStatus::isSettled) ? SamlStatus.success() : PARTIAL;
  }

  /** The partners whose messages are accepted, with our keys for an EncryptedID. */
  SamlReader.PartnerLookup senders(RealmRequest request) {
    return partners
        .lookup(request.realm().name())
        .decryptingWith(() -> keys.of(request.realm()).decryption(KeyUse.IDP_ENCRYPTION));
  }

  /** Creates a new request to a participant. */
  LogoutRequest request(RealmRequest request, RunningLogout logout, Target target, Destination destination) {
    return new LogoutRequest(
        SamlIds.create(random),
        clock.instant(),
        request.entityId(),
        Optional.of(destination.location()),
        Optional.of(clock.instant().plus(LIFE)),
        Optional.of(logout.reason().uri()),
        target.nameId(),
        target.sessionIndexes());
  }

  /**
   * Returns a reply that lets a frame of the receipt page deliver the request, with an encrypted NameID if configured.
   * Empty if the partner's metadata cannot be used, or has no encryption key.
   */
  Optional<EdgeReply> ask(
      RealmRequest request, RunningLogout logout, Target target, LogoutRequest message, Destination destination) {
    return writer(partners.find(logout.realm(), target.partner()))
        .map(
            encrypting ->
                deliver(
                    request, encrypting, message, destination, Optional.empty(), Optional.of(logout.origin())));
  }

  private Optional<SamlWriter> writer(Result<Sp, SamlRefusal> partner) {
    return switch (partner) {
      case Result.Refused<Sp, SamlRefusal> refused -> Optional.empty();
      case Result.Accepted(Sp sp) ->
          switch (Encryption.choose(sp.config().asServiceProvider().encrypt(), sp.role().encryption())) {
            case Encryption.Choice.None none -> Optional.of(writer);
            case Encryption.Choice.With(Encryption encryption) -> Optional.of(writer.encrypting(encryption));
            case Encryption.Choice.NoKey noKey -> Optional.empty();
          };
    };
  }

  /** The answer to the initiator of the logout. */
  EdgeReply answer(RealmRequest request, Initiator initiator, Destination destination, SamlStatus status) {
    LogoutResponse response = response(request, initiator.requestId(), Optional.of(destination.location()), status);
    return deliver(request, writer, response, destination, initiator.relayState(), Optional.empty());
  }

  /** The answer to a request that came by SOAP, in the response to the same HTTP request. */
  EdgeReply soapAnswer(RealmRequest request, String requestId, SamlStatus status) {
    SigningKey key = keys.of(request.realm()).current(KeyUse.IDP_SIGNING);
    return new SoapReplies(writer).message(response(request, requestId, Optional.empty(), status), key);
  }

  /**
   * The answer to a message that is not a valid request of a partner.
   *
   * @param reference of the refusal
   */
  EdgeReply soapFault(String reference) {
    return new SoapReplies(writer).refused(reference);
  }

  private LogoutResponse response(
      RealmRequest request, String requestId, Optional<String> destination, SamlStatus status) {
    return new LogoutResponse(
        SamlIds.create(random), clock.instant(), request.entityId(), destination, Optional.of(requestId), status);
  }

  /** @param framedBy the origin of the receipt page, if the message is sent in a frame of that page */
  private EdgeReply deliver(
      RealmRequest request,
      SamlWriter by,
      SamlMessage message,
      Destination destination,
      Optional<String> relayState,
      Optional<String> framedBy) {
    SigningKey key = keys.of(request.realm()).current(KeyUse.IDP_SIGNING);
    return switch (destination.binding()) {
      case REDIRECT -> EdgeReply.seeOther(by.redirect(message, destination.location(), relayState, key));
      case POST -> {
        PostForm form = by.post(message, destination.location(), relayState, key);
        yield framedBy
            .map(origin -> framed(request, form, origin))
            .orElseGet(() -> pages.autoSubmit(request.http(), Optional.of(request.realm()), form));
      }
      case ARTIFACT, SOAP -> throw new IllegalStateException("not a front channel: " + destination.binding());
    };
  }

  private EdgeReply framed(RealmRequest request, PostForm form, String origin) {
    Page.Policy policy = new Page.Policy(List.of(), List.of(origin), true, 0);
    return pages.render(
        request.http(), Optional.of(request.realm()), new Page(200, "submit", Map.of("form", form), policy));
  }
}
