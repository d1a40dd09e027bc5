package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Assertion;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks that an unsolicited assertion is not older than our replay marks (SAML Profiles 4.1.4.5): the mark of its
 * first use may have been lost. A solicited assertion needs no mark, because its request is consumed.
 */
public final class IssuedBeforeStartCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    // The clock of the issuer may be ahead of ours.
    Instant oldest = expected.replaysCompleteSince().plus(ResponseExpectation.CLOCK_SKEW);
    return SamlRefusal.unless(
        expected.requestId().isPresent() || !assertion.issueInstant().isBefore(oldest),
        Reason.ISSUED_BEFORE_START,
        "unsolicited, and issued before replay marks are complete");
  }
}
