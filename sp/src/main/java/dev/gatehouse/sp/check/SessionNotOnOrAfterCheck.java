package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.AuthnStatement;
import java.util.Optional;

/** Checks that the session granted by the identity provider has not ended (SAML Core 2.7.2; Profiles 4.1.4.3). */
public final class SessionNotOnOrAfterCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    return SamlRefusal.unless(
        assertion.authnStatement().flatMap(AuthnStatement::sessionNotOnOrAfter).filter(expected::isPast).isEmpty(),
        Reason.SESSION_EXPIRED,
        "SessionNotOnOrAfter");
  }
}
