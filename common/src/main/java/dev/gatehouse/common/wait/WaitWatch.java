package dev.gatehouse.common.wait;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks ten times a second at a place where somebody may wait, as long as somebody does. */
final class WaitWatch {

  private static final Logger LOG = LoggerFactory.getLogger(WaitWatch.class);

  /** By so much a wait is longer than it should be, at most. */
  static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  /** Something where somebody may wait. */
  interface Place {

    /**
     * Ends waits whose time is over, and returns whether others are left.
     *
     * @param now by {@link System#nanoTime}
     */
    boolean isWaiting(long now);
  }

  private final Place place;
  private final AtomicBoolean isWatching = new AtomicBoolean();

  WaitWatch(Place place) {
    this.place = place;
  }

  /** Sees to it that somebody looks; to be called when a wait has begun that {@link Place#isWaiting} tells. */
  void begin() {
    if (!isWatching.get() && isWatching.compareAndSet(false, true)) {
      Thread.ofVirtual().name("wait-watch").start(this::look);
    }
  }

  private void look() {
    boolean isAnyWaiting = true;
    while (isAnyWaiting) {
      try {
        Thread.sleep(LOOK_AGAIN);
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody has this thread", e);
      }
      try {
        isAnyWaiting = place.isWaiting(System.nanoTime());
      } catch (Throwable e) {
        // Who waits would have no limit any more if this thread ended.
        LOG.error("Waits cannot be looked at; it will be tried again", e);
      }
      if (!isAnyWaiting) {
        isWatching.set(false);
        // A wait that began before that may have found somebody watching.
        isAnyWaiting = place.isWaiting(System.nanoTime()) && isWatching.compareAndSet(false, true);
      }
    }
  }
}
