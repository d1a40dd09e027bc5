package dev.gatehouse.idp.saml.slo;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for work on other threads, together for no longer than that. */
record SharedDeadline(Duration length) {

  static SharedDeadline of(Duration length) {
    return new SharedDeadline(length);
  }

  /** Returns when all are done, however they ended, or time is up: what they wrote tells which. */
  void await(List<? extends CompletableFuture<?>> work) {
    try {
      CompletableFuture.allOf(work.toArray(CompletableFuture[]::new)).get(length.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // Who is late or failed has a notice that says so.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
