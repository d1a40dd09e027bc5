package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import java.util.Optional;

/**
 * Checks that AttributeConsumingServiceIndex names a service in the partner's metadata (SAML Core 3.4.1). Core has no
 * status code for an unknown index. Releasing all configured attributes instead would release more than was requested.
 */
final class AttributeServiceCheck {

  private AttributeServiceCheck() {}

  static Optional<SamlStatus> check(AuthnRequest request, SpRole role) {
    Optional<Integer> index = request.attributeConsumingServiceIndex();
    return index.isEmpty() || role.attributeConsumer(index).isPresent()
        ? Optional.empty()
        : Optional.of(
            SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.REQUEST_UNSUPPORTED)
                .because("metadata lists no AttributeConsumingService of that index"));
  }
}
