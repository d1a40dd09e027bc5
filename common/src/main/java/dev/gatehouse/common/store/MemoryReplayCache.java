package dev.gatehouse.common.store;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;

/** Replay marks in memory: for tests and {@code storage: volatile}. Full is {@link StoreUnavailable}, never "first". */
public final class MemoryReplayCache implements ReplayCache {

  private final InstantSource time;
  private final int capacity;
  private final Instant completeSince;
  private final ConcurrentHashMap<ReplayKey, Instant> marks = new ConcurrentHashMap<>();
  private final Deadlines<ReplayKey> deadlines = new Deadlines<>();

  /** @param capacity marks at most */
  public MemoryReplayCache(InstantSource time, int capacity) {
    this.time = time;
    this.capacity = capacity;
    this.completeSince = time.instant();
  }

  @Override
  public boolean firstSeen(ReplayKey key, Instant expiresAt) {
    Instant now = time.instant();
    deadlines.sweep(now, expired -> marks.computeIfPresent(expired, (k, until) -> now.isBefore(until) ? until : null));
    if (marks.size() >= capacity) {
      throw new StoreUnavailable("The replay cache is full: " + capacity + " marks");
    }
    while (true) {
      Instant until = marks.putIfAbsent(key, expiresAt);
      if (until != null && now.isBefore(until)) {
        return false;
      }
      // An expired mark that nobody swept yet counts for nothing; one of those who see it replaces it.
      if (until == null || marks.replace(key, until, expiresAt)) {
        deadlines.add(key, expiresAt);
        return true;
      }
    }
  }

  @Override
  public boolean isMarked(ReplayKey key) {
    Instant until = marks.get(key);
    return until != null && time.instant().isBefore(until);
  }

  @Override
  public Instant completeSince() {
    return completeSince;
  }
}
