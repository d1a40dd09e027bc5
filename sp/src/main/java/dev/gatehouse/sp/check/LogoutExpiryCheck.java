package dev.gatehouse.sp.check;

import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks that the LogoutRequest has not expired (SAML Core 3.7.1). A request without NotOnOrAfter is valid for five
 * minutes from its IssueInstant, because its ID must be remembered while it is valid.
 */
public final class LogoutExpiryCheck implements LogoutRequestCheck {

  private static final Duration WITHOUT_NOT_ON_OR_AFTER = Duration.ofMinutes(5);

  @Override
  public Optional<SamlRefusal> check(LogoutRequest request, SpConfig sp, Instant now) {
    return SamlRefusal.unless(now.isBefore(acceptableUntil(request)), Reason.EXPIRED, "LogoutRequest's NotOnOrAfter");
  }

  /** The time from which the request is refused, clock skew included. */
  public static Instant acceptableUntil(LogoutRequest request) {
    return request
        .notOnOrAfter()
        .orElseGet(() -> request.issueInstant().plus(WITHOUT_NOT_ON_OR_AFTER))
        .plus(ResponseExpectation.CLOCK_SKEW);
  }
}
