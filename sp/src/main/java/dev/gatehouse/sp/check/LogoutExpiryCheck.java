package dev.gatehouse.sp.check;

import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.saml.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The LogoutRequest has not expired (SAML Core 3.7.1). One without NotOnOrAfter counts for five minutes from its
 * IssueInstant: its ID must be remembered for as long as it counts.
 */
public final class LogoutExpiryCheck implements LogoutRequestCheck {

  private static final Duration WITHOUT_NOT_ON_OR_AFTER = Duration.ofMinutes(5);

  @Override
  public Optional<SamlRefusal> check(LogoutRequest request, SpConfig sp, Instant now) {
    return Refuse.unless(now.isBefore(acceptableUntil(request)), Reason.EXPIRED, "LogoutRequest's NotOnOrAfter");
  }

  /** When it is refused, clock skew included. */
  public static Instant acceptableUntil(LogoutRequest request) {
    return request
        .notOnOrAfter()
        .orElseGet(() -> request.issueInstant().plus(WITHOUT_NOT_ON_OR_AFTER))
        .plus(ResponseExpectation.CLOCK_SKEW);
  }
}
