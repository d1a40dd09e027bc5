package dev.gatehouse.sp.idtoken;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an ID token is held against.
 *
 * @param issuer of the provider that was asked
 * @param clientId who we are there
 * @param nonce of our request
 * @param accessToken that came along
 * @param acr values of which it must have one; any where empty
 * @param authenticatedSince where the person had to be authenticated anew: since then
 * @param userClaim the claim that names the user
 * @param now the time of receipt
 */
public record TokenExpectation(
    String issuer,
    String clientId,
    String nonce,
    Optional<String> accessToken,
    List<String> acr,
    Optional<Instant> authenticatedSince,
    String userClaim,
    Instant now) {

  /** How far two clocks may be apart. */
  public static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

  /** Whether that time has come by every clock. */
  boolean isPast(Instant time) {
    return !now.isBefore(time.plus(CLOCK_SKEW));
  }

  /** Whether that time has not come by any clock. */
  boolean isFuture(Instant time) {
    return now.plus(CLOCK_SKEW).isBefore(time);
  }
}
