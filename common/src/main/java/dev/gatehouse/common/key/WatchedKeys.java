package dev.gatehouse.common.key;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node's copy of a folder's keys: read once, and again after the folder's ring was replaced. */
final class WatchedKeys {

  private static final Logger LOG = LoggerFactory.getLogger(WatchedKeys.class);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

  private record Held(KeyFolder.Ring ring, Optional<Object> stamp, Instant checkedAt, Instant checkAgainAt) {
    /** A clock that was set back delays no check. */
    boolean isFresh(Instant now) {
      return now.isBefore(checkAgainAt) && !now.isBefore(checkedAt);
    }
  }

  private final KeyFolder folder;
  private final InstantSource time;
  private final ReentrantLock loading = new ReentrantLock();
  private volatile @Nullable Held current;

  WatchedKeys(KeyFolder folder, InstantSource time) {
    this.folder = folder;
    this.time = time;
  }

  KeyFolder.Ring ring() {
    Held now = current;
    if (now == null) {
      return first();
    }
    if (now.isFresh(time.instant()) || !loading.tryLock()) {
      return now.ring();
    }
    try {
      Held fresh = reload(now);
      current = fresh;
      return fresh.ring();
    } finally {
      loading.unlock();
    }
  }

  private KeyFolder.Ring first() {
    loading.lock();
    try {
      Held now = current;
      if (now == null) {
        Instant at = time.instant();
        Optional<Object> stamp = folder.stamp();
        now = new Held(folder.load(), stamp, at, at.plus(FileKeyRings.LOOK_AGAIN));
        current = now;
      }
      return now.ring();
    } finally {
      loading.unlock();
    }
  }

  /** Reads the folder again; keeps the former ring if the new one cannot be read. */
  private Held reload(Held before) {
    Instant at = time.instant();
    Instant next = at.plus(FileKeyRings.LOOK_AGAIN);
    Optional<Object> stamp = folder.stamp();
    if (stamp.isEmpty() && before.stamp().isPresent()) {
      LOG.error("The key files of {} were removed while the node runs; it continues with the keys in memory", folder);
      return new Held(before.ring(), Optional.empty(), at, next.plus(AFTER_FAILURE));
    }
    if (stamp.isEmpty() || stamp.equals(before.stamp())) {
      return new Held(before.ring(), before.stamp(), at, next);
    }
    try {
      KeyFolder.Ring ring = folder.load();
      if (!ring.equals(before.ring())) {
        LOG.info("Changed keys were taken over; the current one is {}", ring.current().id());
      }
      return new Held(ring, stamp, at, next);
    } catch (IllegalStateException e) {
      LOG.error("Changed keys were not taken over; the former ones stay in use", e);
      return new Held(before.ring(), before.stamp(), at, next.plus(AFTER_FAILURE));
    }
  }
}
