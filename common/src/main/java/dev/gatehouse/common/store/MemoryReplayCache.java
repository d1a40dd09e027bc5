package dev.gatehouse.common.store;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stores replay marks in memory: for tests and {@code storage: volatile}. When full it throws {@link StoreUnavailable} and never
 * reports a key as first seen.
 */
public final class MemoryReplayCache implements ReplayCache {

  private final InstantSource time;
  private final int capacity;
  private final Instant completeSince;
  private final ConcurrentHashMap<ReplayKey, Instant> marks = new ConcurrentHashMap<>();
  private final Deadlines<ReplayKey> deadlines = new Deadlines<>();

  /** @param capacity the largest number of marks */
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
      // An expired mark that was not swept yet does not count; exactly one of the callers that see it replaces it.
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
