package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import java.util.Optional;

/** Checks that the Assertion states an authentication of the person (SAML Profiles 4.1.4.2). */
public final class AuthnStatementCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    return SamlRefusal.unless(
        assertion.authnStatement().isPresent(), Reason.AUTHN_STATEMENT_MISSING, "there is no AuthnStatement");
  }
}
