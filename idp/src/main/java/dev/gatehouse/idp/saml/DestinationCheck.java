package dev.gatehouse.idp.saml;

import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Received;
import java.util.Optional;

/**
 * Checks that the message is addressed to this endpoint (SAML Core 3.2.1; Bindings 3.4.5.2 and 3.5.5.2 require
 * Destination in a signed message). A Destination that is present must be correct, signed or not. A message that we
 * fetched with an artifact may omit it.
 */
public final class DestinationCheck {

  private DestinationCheck() {}

  public static Optional<SamlRefusal> check(Received<?> received, String location) {
    Optional<String> destination = received.message().destination();
    if (destination.isEmpty() && (!received.signed() || received.binding() == Binding.ARTIFACT)
        || destination.filter(location::equals).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        new SamlRefusal(
            SamlRefusal.Reason.DESTINATION, destination.isEmpty() ? "Destination is missing" : "Destination is not us"));
  }
}
