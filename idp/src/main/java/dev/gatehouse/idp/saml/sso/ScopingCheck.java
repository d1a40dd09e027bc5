package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlStatus;
import java.util.Optional;

/**
 * Checks that we are among the identity providers that may answer, if the request lists them (SAML Core 3.4.1.2,
 * IDPList). ProxyCount does not concern us, because we authenticate people ourselves and do not forward requests.
 */
final class ScopingCheck {

  private ScopingCheck() {}

  static Optional<SamlStatus> check(AuthnRequest request, String idp) {
    return request.authentication().idpList().isEmpty() || request.authentication().idpList().contains(idp)
        ? Optional.empty()
        : Optional.of(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_SUPPORTED_IDP));
  }
}
