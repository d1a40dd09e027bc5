package dev.gatehouse.sp.check;

import dev.gatehouse.common.realm.SpConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a Response is held against.
 *
 * @param sp us: entity ID, AssertionConsumerService
 * @param identityProvider the one that the Response's keys are of
 * @param linksAccounts whether links say who that identity provider's people are here, and not their user names there
 * @param requestId of the AuthnRequest of ours that the Response names: one that may still be answered
 * @param now the time of receipt
 * @param replaysCompleteSince since when no replay mark can have been lost
 */
public record ResponseExpectation(
    SpConfig sp,
    String identityProvider,
    boolean linksAccounts,
    Optional<String> requestId,
    Instant now,
    Instant replaysCompleteSince) {

  /** How far two clocks may be apart. */
  public static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

  /** Whether that time has come by every clock. */
  boolean isPast(Instant time) {
    return !now.isBefore(time.plus(CLOCK_SKEW));
  }

  /** Whether something is said to have happened later than it can have. */
  boolean isAhead(Instant time) {
    return time.isAfter(now.plus(sp.times().ahead()));
  }

  /** Whether that time has not come by any clock. */
  boolean isFuture(Instant time) {
    return now.plus(CLOCK_SKEW).isBefore(time);
  }
}
