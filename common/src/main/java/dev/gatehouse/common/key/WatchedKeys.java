package dev.gatehouse.common.key;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The keys of a folder as this node holds them: read once, and again when the folder's ring was replaced. */
final class WatchedKeys {

  private static final Logger LOG = LoggerFactory.getLogger(WatchedKeys.class);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

  private record Held(KeyFolder.Ring ring, Optional<PrivateFiles.Stamp> stamp, Instant lookAgain) {}

  private final KeyFolder folder;
  private final InstantSource time;
  private final ReentrantLock loading = new ReentrantLock();
  private volatile @Nullable Held held;

  WatchedKeys(KeyFolder folder, InstantSource time) {
    this.folder = folder;
    this.time = time;
  }

  KeyFolder.Ring ring() {
    Held now = held;
    if (now == null) {
      return first();
    }
    if (time.instant().isBefore(now.lookAgain()) || !loading.tryLock()) {
      return now.ring();
    }
    try {
      Held fresh = again(now);
      held = fresh;
      return fresh.ring();
    } finally {
      loading.unlock();
    }
  }

  private KeyFolder.Ring first() {
    loading.lock();
    try {
      Held now = held;
      if (now == null) {
        Optional<PrivateFiles.Stamp> stamp = folder.stamp();
        now = new Held(folder.load(), stamp, time.instant().plus(FileKeyRings.LOOK_AGAIN));
        held = now;
      }
      return now.ring();
    } finally {
      loading.unlock();
    }
  }

  /** What the folder says now; a ring that cannot be read leaves the one that was. */
  private Held again(Held before) {
    Instant next = time.instant().plus(FileKeyRings.LOOK_AGAIN);
    Optional<PrivateFiles.Stamp> stamp = folder.stamp();
    if (stamp.isEmpty() && before.stamp().isPresent()) {
      LOG.error("The key files of {} were removed while the node runs; it goes on with the keys that it holds", folder);
      return new Held(before.ring(), Optional.empty(), next.plus(AFTER_FAILURE));
    }
    if (stamp.isEmpty() || stamp.equals(before.stamp())) {
      return new Held(before.ring(), before.stamp(), next);
    }
    try {
      KeyFolder.Ring ring = folder.load();
      if (!ring.equals(before.ring())) {
        LOG.info("Changed keys were taken over; the current one is {}", ring.current().id());
      }
      return new Held(ring, stamp, next);
    } catch (IllegalStateException e) {
      LOG.error("Changed keys were not taken over; the former ones stay in use", e);
      return new Held(before.ring(), before.stamp(), next.plus(AFTER_FAILURE));
    }
  }
}
