package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import java.util.Optional;

/**
 * Checks that a Response that names a request names one that we sent and that may still be answered (SAML Profiles
 * 4.1.4.3; Core 3.2.2). A later step checks that the request belongs to this browser, when the browser brings it.
 */
public final class InResponseToCheck implements ResponseCheck {

  @Override
  public Optional<SamlRefusal> check(ReceivedResponse response, ResponseExpectation expected) {
    Optional<String> named = response.response().inResponseTo();
    return SamlRefusal.unless(
        named.equals(expected.requestId()), Reason.IN_RESPONSE_TO, "InResponseTo names no request of ours, or one of more than an hour ago");
  }
}
