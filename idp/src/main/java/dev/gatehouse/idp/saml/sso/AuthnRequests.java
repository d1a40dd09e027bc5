package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.saml.DestinationCheck;
import dev.gatehouse.idp.saml.MessageFreshnessCheck;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Reads AuthnRequests and applies the rules that do not depend on the person (SAML Profiles 4.1.4.1). */
final class AuthnRequests {

  /** The result of reading a request. */
  sealed interface Outcome {
    record Accepted(SignOn signOn, SsoPartner partner) implements Outcome {}

    /** The request is answered with this status, whoever the person is. */
    record Answered(SignOn signOn, SsoPartner partner, SamlStatus status) implements Outcome {}

    /** The request is not answered; the person sees an error page. */
    record Refused(String partner, SamlRefusal refusal) implements Outcome {}
  }

  private final SamlReader reader;
  private final SsoPartners partners;
  private final KeyRings keys;
  private final InstantSource clock;

  AuthnRequests(SamlReader reader, SsoPartners partners, KeyRings keys, InstantSource clock) {
    this.reader = reader;
    this.partners = partners;
    this.keys = keys;
    this.clock = clock;
  }

  /** Reads a request by Redirect or POST. */
  Outcome read(RealmRequest request) {
    return switch (reader.authnRequest(request.http(), lookup(request))) {
      case Result.Refused(var refusal) -> new Outcome.Refused("-", refusal);
      case Result.Accepted(var received) -> accept(request, received);
    };
  }

  /** The partners that may send requests, with our keys for encrypted parts. */
  SamlReader.PartnerLookup lookup(RealmRequest request) {
    return partners
        .lookup(request.realm().name())
        .decryptingWith(() -> keys.of(request.realm()).decryption(KeyUse.IDP_ENCRYPTION));
  }

  Outcome accept(RealmRequest request, Received<AuthnRequest> received) {
    AuthnRequest message = received.message();
    Instant now = clock.instant();
    Optional<SamlRefusal> refusal =
        SignedRequestCheck.check(received, request.idp())
            .or(() -> DestinationCheck.check(received, request.location("saml/sso")))
            .or(() -> MessageFreshnessCheck.check(message, now))
            .or(() -> RequestSizeCheck.check(received));
    if (refusal.isPresent()) {
      return new Outcome.Refused(message.issuer(), refusal.get());
    }
    return switch (partners.find(request.realm().name(), message.issuer())) {
      case Result.Refused(var unknown) -> new Outcome.Refused(message.issuer(), unknown);
      case Result.Accepted(var partner) ->
          switch (ConsumerServiceSelector.of(message, partner.consumers())) {
            case Result.Refused(var unlisted) -> new Outcome.Refused(message.issuer(), unlisted);
            case Result.Accepted(var consumer) -> {
              SignOn signOn = signOn(request, received, partner, consumer, now);
              yield status(request, message, partner, consumer)
                  .<Outcome>map(status -> new Outcome.Answered(signOn, partner, status))
                  .orElseGet(() -> new Outcome.Accepted(signOn, partner));
            }
          };
    };
  }

  private static Optional<SamlStatus> status(
      RealmRequest request, AuthnRequest message, SsoPartner partner, ConsumerService consumer) {
    return VersionCheck.check(message)
        .or(() -> ProtocolBindingCheck.check(message, consumer))
        .or(() -> ScopingCheck.check(message, request.entityId()))
        .or(() -> NameIdPolicyCheck.check(message, partner.sp()))
        .or(() -> AttributeServiceCheck.check(message, partner.sp().role()));
  }

  private static SignOn signOn(
      RealmRequest request, Received<AuthnRequest> received, SsoPartner partner, ConsumerService consumer, Instant now) {
    AuthnRequest message = received.message();
    return new SignOn(
        request.realm().name(),
        partner.entityId(),
        new SignOn.Delivery(consumer, false, Optional.of(message.id()), received.relayState()),
        now,
        NameIdPolicyCheck.wanted(message, partner.sp().config()),
        message.attributeConsumingServiceIndex(),
        new SignOn.Authentication(
            message.authentication().forceAuthn(),
            message.authentication().isPassive(),
            message.authentication().requestedAuthnContext(),
            message.subject()));
  }
}
