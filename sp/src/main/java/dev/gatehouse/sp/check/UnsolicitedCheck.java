package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import java.util.Optional;

/** Checks that the realm accepts unsolicited Responses, if the Response names no request (SAML Profiles 4.1.5). */
public final class UnsolicitedCheck implements ResponseCheck {

  @Override
  public Optional<SamlRefusal> check(ReceivedResponse response, ResponseExpectation expected) {
    return SamlRefusal.unless(
        response.response().inResponseTo().isPresent() || expected.sp().unsolicited(),
        Reason.UNSOLICITED,
        "unsolicited Responses are off in this realm");
  }
}
