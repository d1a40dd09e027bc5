package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlStatus;
import java.util.Optional;

/**
 * Checks that the requested binding of the Response is one that we offer and that the partner's metadata lists (SAML
 * Core 3.4.1, ProtocolBinding; 3.2.2.2, UnsupportedBinding).
 */
final class ProtocolBindingCheck {

  private ProtocolBindingCheck() {}

  /** @param consumer the service that {@link ConsumerServiceSelector} found for the request */
  static Optional<SamlStatus> check(AuthnRequest request, ConsumerService consumer) {
    return request.delivery().protocolBinding().filter(binding -> !binding.equals(consumer.binding().uri())).isEmpty()
        ? Optional.empty()
        : Optional.of(SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.UNSUPPORTED_BINDING));
  }
}
