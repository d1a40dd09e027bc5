package dev.gatehouse.common.store;

import dev.gatehouse.common.throttle.FairQuota;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Stores values for one use of clients that are not authenticated, within the limits of a {@link FairQuota}. A value that is taken or
 * discarded frees its place. What other methods store is not counted.
 */
public interface LimitedStore<V> extends SingleUseStore<V> {

  /**
   * Stores the value, also in place of one that was not taken yet, and removes those that give way to it; throws {@link
   * IllegalStateException} if one was taken.
   *
   * @return how long to wait until there is space; empty if the value was stored
   */
  Optional<Duration> putWithin(String key, FairQuota.Claim claim, V value, Instant expiresAt);
}
