package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.Assertion;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.time.Instant;
import java.util.Optional;

/**
 * Nothing that nobody asked for is older than our memory of what was used (SAML Profiles 4.1.4.5): a mark of its first
 * use may have been lost. A solicited one needs none, its request is consumed.
 */
public final class IssuedBeforeStartCheck implements AssertionCheck {

  @Override
  public Optional<SamlRefusal> check(Assertion assertion, ResponseExpectation expected) {
    // The clock that stamped it may be ahead of ours.
    Instant oldest = expected.replaysCompleteSince().plus(ResponseExpectation.CLOCK_SKEW);
    return Refuse.unless(
        expected.requestId().isPresent() || !assertion.issueInstant().isBefore(oldest),
        Reason.ISSUED_BEFORE_START,
        "unsolicited, and issued before replay marks are complete");
  }
}
