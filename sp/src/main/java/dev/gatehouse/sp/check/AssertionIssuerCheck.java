package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import java.util.Optional;

/** Checks that the issuer of the Response also issued the Assertion (SAML Profiles 4.1.4.2; Core 2.3.3). */
public final class AssertionIssuerCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    return SamlRefusal.unless(
        assertion.issuer().equals(expected.identityProvider()),
        Reason.ISSUER_MISMATCH,
        "the Assertion's Issuer is not the Response's");
  }
}
