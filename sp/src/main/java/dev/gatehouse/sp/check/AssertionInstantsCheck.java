package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.AuthnStatement;
import java.util.Optional;

/**
 * Checks that the Assertion was issued and the person authenticated before the Response arrived (SAML Core 2.3.3,
 * 2.7.2), within the clock skew.
 */
public final class AssertionInstantsCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    if (expected.isAhead(assertion.issueInstant())) {
      return SamlRefusal.unless(false, Reason.NOT_YET_VALID, "the Assertion's IssueInstant");
    }
    return SamlRefusal.unless(
        assertion.authnStatement().map(AuthnStatement::authnInstant).filter(expected::isAhead).isEmpty(),
        Reason.NOT_YET_VALID,
        "AuthnInstant");
  }
}
