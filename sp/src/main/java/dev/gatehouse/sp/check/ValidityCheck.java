package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that no NotOnOrAfter is later than IssueInstant plus the configured validity. An Assertion that is valid for
 * years would be a password that cannot be changed, and its replay mark would have to last as long.
 */
public final class ValidityCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    Instant latest = assertion.issueInstant().plus(expected.sp().times().validity());
    boolean within =
        Stream.concat(
                assertion.notOnOrAfter().stream(),
                assertion.confirmations().stream().map(SubjectConfirmation::notOnOrAfter).flatMap(Optional::stream))
            .noneMatch(end -> end.isAfter(latest));
    return SamlRefusal.unless(
        within, Reason.VALIDITY_TOO_LONG, "NotOnOrAfter is later than IssueInstant and " + expected.sp().times().validity());
  }
}
