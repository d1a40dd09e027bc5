package dev.gatehouse.sp.idtoken;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The values against which an ID token is checked.
 *
 * @param issuer the provider to which the request was sent
 * @param clientId our client ID at the provider
 * @param nonce the nonce of our request
 * @param accessToken the hash of the access token of the same response
 * @param acr values of which the token must have one; empty means any
 * @param authenticatedSince the time after which the person must have been authenticated; empty if a new authentication
 *     was not required
 * @param userClaim the claim with the user name
 * @param now the time of receipt
 */
public record TokenExpectation(
    String issuer,
    String clientId,
    String nonce,
    Optional<AccessTokenHash> accessToken,
    List<String> acr,
    Optional<Instant> authenticatedSince,
    String userClaim,
    Instant now) {

  /** The largest accepted difference between two clocks. */
  public static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

  /** Returns whether the time has passed even with the clock skew. */
  boolean isPast(Instant time) {
    return !now.isBefore(time.plus(CLOCK_SKEW));
  }

  /** Returns whether the time is in the future even with the clock skew. */
  boolean isFuture(Instant time) {
    return now.plus(CLOCK_SKEW).isBefore(time);
  }
}
