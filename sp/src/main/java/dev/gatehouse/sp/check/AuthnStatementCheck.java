package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.Assertion;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.util.Optional;

/** The Assertion says that the person was authenticated (SAML Profiles 4.1.4.2). */
public final class AuthnStatementCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    return Refuse.unless(
        assertion.authnStatement().isPresent(), Reason.AUTHN_STATEMENT_MISSING, "there is no AuthnStatement");
  }
}
