package dev.gatehouse.idp.saml.slo;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for several tasks on other threads, for one common time limit. */
record SharedDeadline(Duration length) {

  static SharedDeadline of(Duration length) {
    return new SharedDeadline(length);
  }

  /**
   * Returns when all tasks are done, successfully or not, or when the time is up. The tasks' stored results show which.
   */
  void await(List<? extends CompletableFuture<?>> work) {
    try {
      CompletableFuture.allOf(work.toArray(CompletableFuture[]::new)).get(length.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // A late or failed participant has a notice that says so.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
