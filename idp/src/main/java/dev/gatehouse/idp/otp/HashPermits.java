package dev.gatehouse.idp.otp;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Limits how many hashes of PINs are computed at a time. Whoever waits too long is told so: later, nobody would wait for the answer. */
final class HashPermits {

  private final Semaphore free;
  private final Duration longest;

  HashPermits(int permits, Duration longest) {
    this.free = new Semaphore(permits, true);
    this.longest = longest;
  }

  /**
   * Computes a hash when it is its turn.
   *
   * @throws PasscodeStoreUnavailable if its turn did not come in time: nothing was computed
   */
  byte[] when(Supplier<byte[]> computation) {
    try {
      if (!free.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        throw PasscodeStoreUnavailable.busy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PasscodeStoreUnavailable(e);
    }
    try {
      return computation.get();
    } finally {
      free.release();
    }
  }
}
