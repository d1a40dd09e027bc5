package dev.gatehouse.common.throttle;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Counts what is stored for holders that are known, each within its share. A holder whose share is full is refused. If the total is full,
 * the holder with the most loses its oldest entry in favour of one that would have less. This is the accounting only; the caller stores
 * the entries, and removes what is displaced.
 */
public interface QuotaAccount {

  /** Limits, in the unit of the costs, for example bytes. */
  record Limits(int perHolder, int inAll) {}

  /** The result of {@link #enter}. */
  sealed interface Admission {
    /** @param displaced keys of other holders' entries that gave way: the caller must remove them */
    record Admitted(List<String> displaced) implements Admission {}

    /**
     * There is no space.
     *
     * @param displaced as of {@link Admitted}
     * @param retryAfter the time after which there may be space again
     */
    record Full(List<String> displaced, Duration retryAfter) implements Admission {}
  }

  /**
   * Reserves space until the entry leaves or expires.
   *
   * @param key a new one
   */
  Admission enter(String key, String holder, int cost, Instant expiresAt);

  /** Frees the space of the entry; returns false if there is none. */
  boolean leave(String key);
}
