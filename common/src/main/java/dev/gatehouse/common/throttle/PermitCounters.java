package dev.gatehouse.common.throttle;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Counts permits by key, each for the length of a window; every operation is atomic. A permit is open until it is known whether the try
 * failed. Open permits make other tries wait, but only failed ones cause refusals.
 */
public interface PermitCounters {

  /** Longer than any directory takes to answer: a permit that is still open then was lost by a fault and counts as failed. */
  Duration MAX_OPEN = Duration.ofMinutes(2);

  /** The result of requesting a permit. */
  sealed interface Answer {
    /** @param permit identifies it when the try is decided */
    record Taken(long permit) implements Answer {}

    /** The limit of failed permits is reached. */
    record Full(Duration retryAfter) implements Answer {}

    /**
     * The limit of open and failed permits is reached.
     *
     * @param change completes when another request may succeed; empty if too many callers wait already
     */
    record Crowded(Optional<CompletableFuture<Void>> change) implements Answer {}
  }

  /**
   * Takes a permit unless {@code limit} were taken within the window before {@code now}.
   *
   * @param who the party charged for it, if several may be
   */
  Answer take(String key, String who, int limit, Duration window, Instant now);

  /** Returns how long the limit of failed permits stays reached; empty if it is not. */
  Optional<Duration> full(String key, int limit, Instant now);

  /** Returns the number of failed permits of that key that still count. */
  int failed(String key, Instant now);

  /**
   * Forgets the failed permits of that key, and of keys that begin with it and a NUL; returns their number. Permits that are not decided
   * yet stay.
   */
  int forget(String key, Instant now);

  /** Removes a caller that no longer waits for that change. */
  void leave(String key, CompletableFuture<Void> change);

  /** Records that the try failed: the permit stays taken for the rest of its window. */
  void fail(String key, long permit);

  /** Returns one permit. */
  void giveBack(String key, long permit);

  /** Returns this permit, and all permits of the same {@code who} that were taken before it and failed. */
  void clearUpTo(String key, String who, long permit);

  /** Returns whether nothing is counted, as far as this node knows. */
  boolean isEmpty();
}
