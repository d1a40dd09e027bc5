package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.SamlStatus;
import java.util.Optional;

/**
 * Where a request names the identity providers that may answer, we are among them (SAML Core 3.4.1.2, IDPList). ProxyCount
 * asks nothing of us: whoever logs people in itself passes no request on.
 */
final class ScopingCheck {

  private ScopingCheck() {}

  static Optional<SamlStatus> check(AuthnRequest request, String idp) {
    return request.idpList().isEmpty() || request.idpList().contains(idp)
        ? Optional.empty()
        : Optional.of(SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.NO_SUPPORTED_IDP));
  }
}
