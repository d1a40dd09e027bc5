package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import java.util.Optional;

/** Checks that the Response is addressed to this AssertionConsumerService (SAML Core 3.2.2; Bindings 3.5.5.2). */
public final class DestinationCheck implements ResponseCheck {

  @Override
  public Optional<SamlRefusal> check(ReceivedResponse response, ResponseExpectation expected) {
    return SamlRefusal.unless(
        response.response().destination().filter(expected.sp().acs()::equals).isPresent(),
        Reason.DESTINATION,
        "Destination is missing or not our AssertionConsumerService");
  }
}
