package dev.gatehouse.idp.otp;

import dev.gatehouse.common.compute.ComputingThreads;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Limits how many hashes of PINs are computed at a time. Whoever waits too long is told so: later, nobody would wait for the answer.
 *
 * <p>They are computed on platform threads of their own ({@link ComputingThreads}): a hash takes tens of milliseconds.
 */
final class HashPermits {

  /** How many may wait from one address: with a short hash each, they hold up nobody else for long. */
  static final int MOST_FROM_ONE = 8;

  private final Semaphore free;
  private final Duration longest;
  private final Map<String, Integer> waiting = new ConcurrentHashMap<>();
  private final LongAdder computed = new LongAdder();
  private final ExecutorService threads;

  HashPermits(int permits, Duration longest) {
    this.free = new Semaphore(permits, true);
    this.longest = longest;
    this.threads = ComputingThreads.of("pin-hash-", permits);
  }

  /**
   * Computes a hash when it is its turn.
   *
   * @throws PasscodeStoreUnavailable if its turn did not come in time: nothing was computed
   */
  byte[] when(Supplier<byte[]> computation) {
    return inTurn(computation);
  }

  /**
   * As {@link #when(Supplier)}, for somebody at an address. Turns are taken in the order of arrival, so that {@value #MOST_FROM_ONE} that
   * wait from one address are what others wait for at most.
   *
   * @param source the address; empty where no limit is needed
   */
  byte[] when(String source, Supplier<byte[]> computation) {
    if (source.isEmpty()) {
      return inTurn(computation);
    }
    if (waiting.merge(source, 1, Integer::sum) > MOST_FROM_ONE) {
      leave(source);
      throw PasscodeStoreUnavailable.crowded();
    }
    try {
      return inTurn(computation);
    } finally {
      leave(source);
    }
  }

  long computed() {
    return computed.sum();
  }

  /** Returns how many wait from the address, or have their turn. */
  int waiting(String source) {
    return waiting.getOrDefault(source, 0);
  }

  private void leave(String source) {
    waiting.computeIfPresent(source, (address, number) -> number == 1 ? null : number - 1);
  }

  private byte[] inTurn(Supplier<byte[]> computation) {
    try {
      if (!free.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        throw PasscodeStoreUnavailable.busy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PasscodeStoreUnavailable(e);
    }
    return computed(computation);
  }

  /** Computes a hash whose turn it is. The turn ends with the computation, also if the caller no longer waits for it. */
  private byte[] computed(Supplier<byte[]> computation) {
    boolean begun = false;
    try {
      Future<byte[]> hash = threads.submit(() -> inItsTurn(computation));
      begun = true;
      return hash.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PasscodeStoreUnavailable(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
    } finally {
      if (!begun) {
        free.release();
      }
    }
  }

  private byte[] inItsTurn(Supplier<byte[]> computation) {
    try {
      computed.increment();
      return computation.get();
    } finally {
      free.release();
    }
  }
}
