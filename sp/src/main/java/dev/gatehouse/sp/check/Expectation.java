package dev.gatehouse.sp.check;

import dev.gatehouse.common.realm.SpConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a Response is held against.
 *
 * @param sp us: entity ID, AssertionConsumerService, identity provider
 * @param requestId the ID of our AuthnRequest that the Response names and that still waits for an answer
 * @param now the time of receipt
 * @param replaysCompleteSince since when no replay mark can have been lost
 */
public record Expectation(SpConfig sp, Optional<String> requestId, Instant now, Instant replaysCompleteSince) {

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
