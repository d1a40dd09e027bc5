package dev.gatehouse.common.revision;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The revision of another node that this node cannot serve. One that is wrong stays wrong; what this node lacks, such as a device or room
 * for the audit log, may come back. Not thread-safe.
 */
final class UnservedRevision {

  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(10);

  private final InstantSource clock;
  private long number;
  private Instant again = Instant.MAX;

  UnservedRevision(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns whether the revision is not to be tried now. */
  boolean is(long revision) {
    return number == revision && clock.instant().isBefore(again);
  }

  /** Notes a revision that is wrong. */
  void forGood(long revision) {
    number = revision;
    again = Instant.MAX;
  }

  /** Notes a revision that this node lacks something for; returns whether it is news. */
  boolean forNow(long revision) {
    boolean isNews = number != revision;
    number = revision;
    again = clock.instant().plus(BETWEEN_TRIES);
    return isNews;
  }
}
