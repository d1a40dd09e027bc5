package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import java.util.Optional;

/** Checks that the validity of the Assertion has begun (SAML Core 2.5.1.2). */
public final class NotBeforeCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    return SamlRefusal.unless(
        assertion.notBefore().filter(expected::isFuture).isEmpty(), Reason.NOT_YET_VALID, "Conditions' NotBefore");
  }
}
