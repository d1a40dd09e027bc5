package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.Received;
import dev.gatehouse.common.saml.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.SamlMessage.NameIdPolicy;
import dev.gatehouse.common.saml.SamlReader;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlStatus;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.saml.DestinationCheck;
import dev.gatehouse.idp.saml.MessageFreshnessCheck;
import dev.gatehouse.idp.saml.SpPartners;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Reads AuthnRequests and applies the rules that do not depend on who the person is (SAML Profiles 4.1.4.1). */
final class AuthnRequests {

  /** What a request turned out to be. */
  sealed interface Outcome {
    record Accepted(SignOn signOn) implements Outcome {}

    /** To be answered with that status, whoever the person is. */
    record Answered(SignOn signOn, SamlStatus status) implements Outcome {}

    /** Not to be answered at all: an error page. */
    record Refused(String partner, SamlRefusal refusal) implements Outcome {}
  }

  private final SamlReader reader;
  private final SpPartners partners;
  private final InstantSource clock;

  AuthnRequests(SamlReader reader, SpPartners partners, InstantSource clock) {
    this.reader = reader;
    this.partners = partners;
    this.clock = clock;
  }

  Outcome read(RealmRequest request) {
    return switch (reader.authnRequest(request.http(), partners.lookup(request.realm().name()))) {
      case Reading.Refused<Received<AuthnRequest>>(var refusal) -> new Outcome.Refused("-", refusal);
      case Reading.Accepted<Received<AuthnRequest>>(var received) -> accept(request, received);
    };
  }

  private Outcome accept(RealmRequest request, Received<AuthnRequest> received) {
    AuthnRequest message = received.message();
    Instant now = clock.instant();
    Optional<SamlRefusal> refusal =
        DestinationCheck.check(received, request.location("saml/sso"))
            .or(() -> MessageFreshnessCheck.check(message, now))
            .or(() -> KeptSizeCheck.check(received));
    if (refusal.isPresent()) {
      return new Outcome.Refused(message.issuer(), refusal.get());
    }
    return switch (partners.find(request.realm().name(), message.issuer())) {
      case Reading.Refused<SpPartners.Sp>(var unknown) -> new Outcome.Refused(message.issuer(), unknown);
      case Reading.Accepted<SpPartners.Sp>(var sp) ->
          switch (ConsumerChoice.of(message, sp.role())) {
            case Reading.Refused<String>(var unlisted) -> new Outcome.Refused(message.issuer(), unlisted);
            case Reading.Accepted<String>(var consumer) -> {
              SignOn signOn = signOn(request, received, sp, consumer, now);
              yield ProtocolBindingCheck.check(message)
                  .or(() -> NameIdPolicyCheck.check(message, sp.config()))
                  .<Outcome>map(status -> new Outcome.Answered(signOn, status))
                  .orElseGet(() -> new Outcome.Accepted(signOn));
            }
          };
    };
  }

  private static SignOn signOn(
      RealmRequest request, Received<AuthnRequest> received, SpPartners.Sp sp, String consumer, Instant now) {
    AuthnRequest message = received.message();
    return new SignOn(
        request.realm().name(),
        sp.entityId(),
        consumer,
        Optional.of(message.id()),
        now,
        received.relayState(),
        NameIdPolicyCheck.format(message, sp.config().nameId()),
        // Where a request names no policy, the realm's configured format decides and may be made.
        message.nameIdPolicy().map(NameIdPolicy::allowCreate).orElse(true),
        message.forceAuthn(),
        message.isPassive(),
        message.requestedAuthnContext(),
        message.subject());
  }
}
