package dev.gatehouse.sp.check;

import dev.gatehouse.common.realm.SpConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a Response is held against.
 *
 * @param sp us: entity ID, AssertionConsumerService
 * @param identityProvider the one that was asked; where nobody was, the one that the Response's keys are of
 * @param linksAccounts whether links say who that identity provider's people are here, and not their user names there
 * @param asked our AuthnRequest that the Response names and that still waits for an answer
 * @param now the time of receipt
 * @param replaysCompleteSince since when no replay mark can have been lost
 */
public record Expectation(
    SpConfig sp,
    String identityProvider,
    boolean linksAccounts,
    Optional<Asked> asked,
    Instant now,
    Instant replaysCompleteSince) {

  /** How far two clocks may be apart. */
  public static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

  /**
   * What an AuthnRequest asked for.
   *
   * @param authnContext AuthnContextClassRefs of which the answer must have one; any where empty
   * @param forceAuthn whether the person had to be authenticated anew
   * @param at when it was issued
   */
  public record Asked(String requestId, List<String> authnContext, boolean forceAuthn, Instant at) {}

  Optional<String> requestId() {
    return asked.map(Asked::requestId);
  }

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
