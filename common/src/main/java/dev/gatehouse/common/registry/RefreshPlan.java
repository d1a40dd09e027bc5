package dev.gatehouse.common.registry;

import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** Decides when a partner's metadata is fetched again. */
final class RefreshPlan {

  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration RETRY_WHILE_SERVING = Duration.ofSeconds(1);
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);

  /** A lower bound: shorter cacheDurations of documents are ignored. */
  private static final Duration SHORTEST_CACHE = Duration.ofSeconds(30);

  private final RandomGenerator random;

  RefreshPlan(RandomGenerator random) {
    this.random = random;
  }

  /**
   * Returns the delay after a good document: the configured one, or less if its cacheDuration asks for less or half of its
   * remaining validity ends before (so that several tries are possible).
   */
  Duration afterSuccess(Duration configured, PartnerMetadata metadata, Instant now) {
    Duration delay = configured;
    if (metadata.cacheDuration().isPresent()) {
      delay = least(delay, most(metadata.cacheDuration().get(), least(SHORTEST_CACHE, configured)));
    }
    if (metadata.validUntil().isPresent()) {
      Duration half = Duration.between(now, metadata.validUntil().get()).dividedBy(2);
      delay = least(delay, most(half, RETRY_WHILE_SERVING));
    }
    return spread(delay, 0.9, 1.0);
  }

  /**
   * Returns the delay after a failure: twice as long each time, up to 5 minutes. The first delays are short if no document is in
   * use (at start our own idp may come up a moment after us), and longer if an older one is.
   *
   * @param failures in a row, including this one
   */
  Duration afterFailure(int failures, boolean serving) {
    Duration first = serving ? RETRY_WHILE_SERVING : FIRST_RETRY;
    Duration delay = least(first.multipliedBy(1L << Math.min(failures - 1, 20)), LONGEST_RETRY);
    return spread(delay, 0.8, 1.2);
  }

  /** Randomises the delay, so that many partners and nodes do not fetch at the same moment. */
  private Duration spread(Duration delay, double least, double most) {
    return Duration.ofMillis(Math.max(1, (long) (delay.toMillis() * random.nextDouble(least, most))));
  }

  private static Duration least(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private static Duration most(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
