package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import java.util.Optional;

/**
 * Checks that a signature covers exactly one Assertion (SAML Profiles 4.1.4.2 allows several; we do not choose among
 * them).
 */
public final class AssertionCountCheck implements ResponseCheck {

  @Override
  public Optional<SamlRefusal> check(ReceivedResponse response, ResponseExpectation expected) {
    return SamlRefusal.unless(
        response.assertions().size() == 1, Reason.ASSERTION_COUNT, response.assertions().size() + " assertions");
  }
}
