package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import java.util.Optional;

/**
 * Checks that the AuthnRequest is signed, if the realm's metadata says WantAuthnRequestsSigned (SAML Metadata 2.4.3).
 */
final class SignedRequestCheck {

  private SignedRequestCheck() {}

  static Optional<SamlRefusal> check(Received<AuthnRequest> received, IdpConfig idp) {
    if (received.signed() || !idp.signedRequests()) {
      return Optional.empty();
    }
    return Optional.of(
        new SamlRefusal(
            SamlRefusal.Reason.SIGNATURE_MISSING, "the AuthnRequest is not signed, which idp.signedRequests demands"));
  }
}
