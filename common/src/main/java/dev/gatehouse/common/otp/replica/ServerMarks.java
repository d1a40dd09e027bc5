package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Marks of used codes of all servers. If one of them may be isolated, they are kept longer than that: it compares its own with them
 * afterwards.
 */
final class ServerMarks implements ReplayCache {

  private final ReplayCache shared;
  private final Stores stores;
  private final Isolation isolation;
  private final InstantSource time;
  private final Supplier<Duration> kept;
  private volatile Optional<Instant> completeSince = Optional.empty();

  /** @param kept how long marks are kept at least; zero: as long as their codes can be meant */
  ServerMarks(ReplayCache shared, Stores stores, Isolation isolation, InstantSource time, Supplier<Duration> kept) {
    this.shared = shared;
    this.stores = stores;
    this.isolation = isolation;
    this.time = time;
    this.kept = kept;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A mark whose answer was lost counts nowhere: whether the store has it is not known.
   */
  @Override
  public boolean firstSeen(ReplayKey key, Instant expiresAt) {
    if (isolation.isAlone(stores)) {
      return isolation.mark(key, expiresAt);
    }
    Instant end = time.instant().plus(kept.get());
    return !isolation.isMarked(key) && shared.firstSeen(key, expiresAt.isAfter(end) ? expiresAt : end);
  }

  @Override
  public boolean isMarked(ReplayKey key) {
    if (isolation.isAlone(stores)) {
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
