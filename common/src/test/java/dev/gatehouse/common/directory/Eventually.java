package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for conditions that background work makes true. */
final class Eventually {

  private Eventually() {}

  static void holds(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
    boolean held = condition.getAsBoolean();
    while (!held && System.nanoTime() < end) {
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      held = condition.getAsBoolean();
    }
    assertThat(held).as("held within 15 s").isTrue();
  }
}
