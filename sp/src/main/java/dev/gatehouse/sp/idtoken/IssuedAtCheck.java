package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks that the token states its time of issue, and that this time is neither in the future nor so long ago that the
 * token cannot be for this login (OpenID Connect Core 3.1.3.7, rule 10).
 */
final class IssuedAtCheck implements IdTokenCheck {

  private static final Duration OLDEST = Duration.ofMinutes(10);

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    Optional<Instant> at = token.claims().issuedAt();
    boolean plausible =
        at.filter(time -> !expected.isFuture(time) && !expected.isPast(time.plus(OLDEST))).isPresent();
    boolean begun = token.claims().notBefore().filter(expected::isFuture).isEmpty();
    return OpenIdRefusal.unless(plausible && begun, Reason.ISSUED_AT, "iat is missing, in the future or too old, or nbf is in the future");
  }
}
