package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlStatus;
import java.util.Optional;

/** Checks that the request has the version that we support, 2.0 (SAML Core 3.2.2.2, 4.1.3.1). */
final class VersionCheck {

  private VersionCheck() {}

  static Optional<SamlStatus> check(AuthnRequest request) {
    if (request.version().equals("2.0")) {
      return Optional.empty();
    }
    boolean tooLow = request.version().startsWith("0") || request.version().startsWith("1.");
    return Optional.of(
        SamlStatus.of(
            SamlStatus.VERSION_MISMATCH,
            tooLow ? SamlStatus.REQUEST_VERSION_TOO_LOW : SamlStatus.REQUEST_VERSION_TOO_HIGH));
  }
}
