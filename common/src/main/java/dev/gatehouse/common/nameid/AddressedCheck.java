package dev.gatehouse.common.nameid;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlMessage;
import java.util.Optional;

/** Checks that the message is addressed to this endpoint: Destination, which signed messages must have (SAML Bindings 3.4.5.2). */
final class AddressedCheck {

  private AddressedCheck() {}

  static Optional<SamlRefusal> check(SamlMessage message, String location) {
    return message.destination().filter(location::equals).isPresent()
        ? Optional.empty()
        : Optional.of(new SamlRefusal(Reason.DESTINATION, "Destination is missing or is not us"));
  }
}
