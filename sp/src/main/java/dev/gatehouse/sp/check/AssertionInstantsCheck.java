package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.Assertion;
import dev.gatehouse.common.saml.Assertion.AuthnStatement;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.util.Optional;

/** The Assertion was made, and the person authenticated, before it came (SAML Core 2.3.3, 2.7.2), as far as clocks agree. */
public final class AssertionInstantsCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    if (expected.isAhead(assertion.issueInstant())) {
      return Refuse.unless(false, Reason.NOT_YET_VALID, "the Assertion's IssueInstant");
    }
    return Refuse.unless(
        assertion.authnStatement().map(AuthnStatement::authnInstant).filter(expected::isAhead).isEmpty(),
        Reason.NOT_YET_VALID,
        "AuthnInstant");
  }
}
