package dev.gatehouse.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for conditions that background work makes true. */
public final class Eventually {

  /** Long, because only a failure takes so long. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private Eventually() {}

  public static void holds(Callable<Boolean> condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    try {
      while (!condition.call()) {
        assertThat(System.nanoTime() - end).as("nanoseconds beyond " + LIMIT).isNegative();
        Thread.sleep(10);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
