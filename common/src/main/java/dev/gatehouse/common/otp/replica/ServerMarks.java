package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Marks of used codes of all servers. They are kept longer than codes can be meant: a server that was isolated compares its own with them
 * afterwards.
 */
final class ServerMarks implements ReplayCache {

  /** Longer than a server may be isolated. */
  static final Duration KEPT = Duration.ofHours(26);

  private final ReplayCache shared;
  private final Stores stores;
  private final Isolation isolation;
  private final InstantSource time;
  private volatile Optional<Instant> completeSince = Optional.empty();

  ServerMarks(ReplayCache shared, Stores stores, Isolation isolation, InstantSource time) {
    this.shared = shared;
    this.stores = stores;
    this.isolation = isolation;
    this.time = time;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A mark whose answer was lost counts nowhere: whether the store has it is not known.
   */
  @Override
  public boolean firstSeen(ReplayKey key, Instant expiresAt) {
    Optional<String> problem = stores.problem();
    if (problem.isPresent()) {
      isolation.require(problem.get());
      return isolation.mark(key);
    }
    Instant kept = time.instant().plus(KEPT);
    return !isolation.isMarked(key) && shared.firstSeen(key, expiresAt.isAfter(kept) ? expiresAt : kept);
  }

  @Override
  public boolean isMarked(ReplayKey key) {
    Optional<String> problem = stores.problem();
    if (problem.isPresent()) {
      isolation.require(problem.get());
      return isolation.isMarked(key);
    }
    return isolation.isMarked(key) || shared.isMarked(key);
  }

  @Override
  public Instant completeSince() {
    Instant since = completeSince.orElseGet(shared::completeSince);
    completeSince = Optional.of(since);
    return since;
  }
}
