package dev.gatehouse.idp;

import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.NameIdPolicy;
import dev.gatehouse.common.saml.message.SamlMessage.RequestedAuthnContext;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** AuthnRequests with one thing changed. */
final class Requests {

  private Requests() {}

  static AuthnRequest policy(AuthnRequest r, NameIdPolicy policy) {
    return new AuthnRequest(
        r.id(), SamlMessage.VERSION, r.issueInstant(), r.issuer(), r.destination(),
        new AuthnRequest.Delivery(r.delivery().assertionConsumerServiceUrl(), r.delivery().assertionConsumerServiceIndex(),
            r.delivery().protocolBinding()),
        r.attributeConsumingServiceIndex(), Optional.of(policy),
        new AuthnRequest.Authentication(r.authentication().forceAuthn(), r.authentication().isPassive(), r.authentication().requestedAuthnContext(),
            List.of()), r.subject());
  }

  static AuthnRequest consumer(AuthnRequest r, Optional<String> url, Optional<Integer> index) {
    return new AuthnRequest(
        r.id(), SamlMessage.VERSION, r.issueInstant(), r.issuer(), r.destination(),
        new AuthnRequest.Delivery(url, index, r.delivery().protocolBinding()), r.attributeConsumingServiceIndex(), r.nameIdPolicy(),
        new AuthnRequest.Authentication(r.authentication().forceAuthn(), r.authentication().isPassive(), r.authentication().requestedAuthnContext(),
            List.of()), r.subject());
  }

  static AuthnRequest binding(AuthnRequest r, String binding) {
    return new AuthnRequest(
        r.id(), SamlMessage.VERSION, r.issueInstant(), r.issuer(), r.destination(),
        new AuthnRequest.Delivery(r.delivery().assertionConsumerServiceUrl(), r.delivery().assertionConsumerServiceIndex(), Optional.of(binding)),
        r.attributeConsumingServiceIndex(), r.nameIdPolicy(),
        new AuthnRequest.Authentication(r.authentication().forceAuthn(), r.authentication().isPassive(), r.authentication().requestedAuthnContext(),
            List.of()), r.subject());
  }

  static AuthnRequest addressed(AuthnRequest r, Optional<String> destination, Instant issueInstant) {
    return new AuthnRequest(
        r.id(), SamlMessage.VERSION, issueInstant, r.issuer(), destination,
        new AuthnRequest.Delivery(r.delivery().assertionConsumerServiceUrl(), r.delivery().assertionConsumerServiceIndex(),
            r.delivery().protocolBinding()),
        r.attributeConsumingServiceIndex(), r.nameIdPolicy(),
        new AuthnRequest.Authentication(r.authentication().forceAuthn(), r.authentication().isPassive(), r.authentication().requestedAuthnContext(),
            List.of()), r.subject());
  }

  static AuthnRequest asking(AuthnRequest r, boolean forceAuthn, boolean isPassive) {
    return new AuthnRequest(
        r.id(), SamlMessage.VERSION, r.issueInstant(), r.issuer(), r.destination(),
        new AuthnRequest.Delivery(r.delivery().assertionConsumerServiceUrl(), r.delivery().assertionConsumerServiceIndex(),
            r.delivery().protocolBinding()),
        r.attributeConsumingServiceIndex(), r.nameIdPolicy(),
        new AuthnRequest.Authentication(forceAuthn, isPassive, r.authentication().requestedAuthnContext(), List.of()), r.subject());
  }

  static AuthnRequest context(AuthnRequest r, String comparison, String... classRefs) {
    return new AuthnRequest(
        r.id(), SamlMessage.VERSION, r.issueInstant(), r.issuer(), r.destination(),
        new AuthnRequest.Delivery(r.delivery().assertionConsumerServiceUrl(), r.delivery().assertionConsumerServiceIndex(),
            r.delivery().protocolBinding()),
        r.attributeConsumingServiceIndex(), r.nameIdPolicy(),
        new AuthnRequest.Authentication(r.authentication().forceAuthn(), r.authentication().isPassive(),
            Optional.of(RequestedAuthnContext.classes(comparison, List.of(classRefs))), List.of()),
        r.subject());
  }

  static AuthnRequest about(AuthnRequest r, NameId subject) {
    return new AuthnRequest(
        r.id(), SamlMessage.VERSION, r.issueInstant(), r.issuer(), r.destination(),
        new AuthnRequest.Delivery(r.delivery().assertionConsumerServiceUrl(), r.delivery().assertionConsumerServiceIndex(),
            r.delivery().protocolBinding()),
        r.attributeConsumingServiceIndex(), r.nameIdPolicy(),
        new AuthnRequest.Authentication(r.authentication().forceAuthn(), r.authentication().isPassive(), r.authentication().requestedAuthnContext(),
            List.of()),
        Optional.of(subject));
  }

  static AuthnRequest attributes(AuthnRequest r, int index) {
    return new AuthnRequest(
        r.id(), SamlMessage.VERSION, r.issueInstant(), r.issuer(), r.destination(),
        new AuthnRequest.Delivery(r.delivery().assertionConsumerServiceUrl(), r.delivery().assertionConsumerServiceIndex(),
            r.delivery().protocolBinding()),
        Optional.of(index), r.nameIdPolicy(),
        new AuthnRequest.Authentication(r.authentication().forceAuthn(), r.authentication().isPassive(), r.authentication().requestedAuthnContext(),
            List.of()), r.subject());
  }

  static AuthnRequest among(AuthnRequest r, List<String> idpList) {
    return full(r, r.version(), idpList);
  }

  static AuthnRequest version(AuthnRequest r, String version) {
    return full(r, version, r.authentication().idpList());
  }

  private static AuthnRequest full(AuthnRequest r, String version, List<String> idpList) {
    return new AuthnRequest(
        r.id(), version, r.issueInstant(), r.issuer(), r.destination(),
        new AuthnRequest.Delivery(r.delivery().assertionConsumerServiceUrl(), r.delivery().assertionConsumerServiceIndex(),
            r.delivery().protocolBinding()),
        r.attributeConsumingServiceIndex(), r.nameIdPolicy(),
        new AuthnRequest.Authentication(r.authentication().forceAuthn(), r.authentication().isPassive(), r.authentication().requestedAuthnContext(),
            idpList), r.subject());
  }
}
