package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks that the person was authenticated anew if the request demanded it (OpenID Connect Core 3.1.2.1, max_age;
 * 3.1.3.7, rule 13).
 */
final class AuthTimeCheck implements IdTokenCheck {

  private static final long LAST = 253_402_300_799L;

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    Optional<Instant> at = time(token);
    boolean toCome = at.filter(expected::isFuture).isPresent();
    boolean late =
        expected
            .authenticatedSince()
            .filter(since -> at.filter(time -> !time.plus(TokenExpectation.CLOCK_SKEW).isBefore(since)).isEmpty())
            .isPresent();
    return OpenIdRefusal.unless(!toCome && !late, Reason.AUTH_TIME, "auth_time is missing, in the future, or older than requested");
  }

  static Optional<Instant> time(ReceivedJwt token) {
    return token.claims().all().get("auth_time") instanceof Number seconds
        ? Optional.of(Instant.ofEpochSecond(Math.clamp(seconds.longValue(), 0, LAST)))
        : Optional.empty();
  }
}
