package dev.gatehouse.sp.check;

import dev.gatehouse.common.realm.SpConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The values against which a Response is checked.
 *
 * @param sp our configuration: entity ID, AssertionConsumerService
 * @param identityProvider the identity provider whose keys verified the Response
 * @param linksAccounts whether account links determine the local account, instead of the user name at the identity
 *     provider
 * @param requestId the ID of our AuthnRequest that the Response names, if it may still be answered
 * @param now the time of receipt
 * @param replaysCompleteSince the time since which no replay mark can have been lost
 */
public record ResponseExpectation(
    SpConfig sp,
    String identityProvider,
    boolean linksAccounts,
    Optional<String> requestId,
    Instant now,
    Instant replaysCompleteSince) {

  /** The largest accepted difference between two clocks. */
  public static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

  /** Returns whether the time has passed even with the clock skew. */
  boolean isPast(Instant time) {
    return !now.isBefore(time.plus(CLOCK_SKEW));
  }

  /** Returns whether the time is further in the future than an event of the past can be. */
  boolean isAhead(Instant time) {
    return time.isAfter(now.plus(sp.times().ahead()));
  }

  /** Returns whether the time is in the future even with the clock skew. */
  boolean isFuture(Instant time) {
    return now.plus(CLOCK_SKEW).isBefore(time);
  }
}
