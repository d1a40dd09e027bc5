package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.Assertion;
import dev.gatehouse.common.saml.Assertion.AuthnStatement;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.sp.check.Expectation.Asked;
import java.time.Instant;
import java.util.Optional;

/** Where ForceAuthn was asked for, the person was authenticated after the request (SAML Core 3.4.1). */
public final class ForceAuthnCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, Expectation expected) {
    Optional<Instant> earliest =
        expected.asked().filter(Asked::forceAuthn).map(asked -> asked.at().minus(Expectation.CLOCK_SKEW));
    boolean fresh =
        earliest.isEmpty()
            || assertion
                .authnStatement()
                .map(AuthnStatement::authnInstant)
                .filter(at -> !at.isBefore(earliest.get()))
                .isPresent();
    return Refuse.unless(fresh, Reason.AUTHN_NOT_FRESH, "AuthnInstant is before our request with ForceAuthn");
  }
}
