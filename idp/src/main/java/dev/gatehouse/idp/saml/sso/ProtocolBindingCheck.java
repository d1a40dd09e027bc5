package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.SamlStatus;
import java.util.Optional;

/** The Response is wanted by a binding that we offer: POST (SAML Core 3.4.1, ProtocolBinding). */
final class ProtocolBindingCheck {

  static final String UNSUPPORTED_BINDING = "urn:oasis:names:tc:SAML:2.0:status:UnsupportedBinding";

  private ProtocolBindingCheck() {}

  static Optional<SamlStatus> check(AuthnRequest request) {
    return request.protocolBinding().filter(binding -> !binding.equals(Binding.POST.uri())).isEmpty()
        ? Optional.empty()
        : Optional.of(SamlStatus.of(SamlStatus.REQUESTER, UNSUPPORTED_BINDING));
  }
}
