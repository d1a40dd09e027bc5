package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import java.util.Optional;

/** Checks that the Assertion is still valid (SAML Core 2.5.1.2). */
public final class NotOnOrAfterCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    return SamlRefusal.unless(
        assertion.notOnOrAfter().filter(expected::isPast).isEmpty(), Reason.EXPIRED, "Conditions' NotOnOrAfter");
  }
}
