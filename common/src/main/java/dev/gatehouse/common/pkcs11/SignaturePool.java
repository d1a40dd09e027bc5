package dev.gatehouse.common.pkcs11;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The platform threads that call a token. A call into a library holds its thread, and would hold the carrier of a virtual thread. What
 * waits is bounded: a token that hangs must not collect requests.
 */
public final class SignaturePool implements AutoCloseable {

  static final int WAITING_PER_THREAD = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final String token;
  private final ThreadPoolExecutor threads;
  private final AtomicLong rejected = new AtomicLong();

  SignaturePool(String token, int size) {
    this.token = token;
    this.threads =
        new ThreadPoolExecutor(
            size,
            size,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(size * WAITING_PER_THREAD),
            Thread.ofPlatform().daemon().name("pkcs11-" + token + "-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /** Returns the number of calls that the token works on. */
  public int running() {
    return threads.getActiveCount();
  }

  /** Returns the number of calls that wait for a thread. */
  public int waiting() {
    return threads.getQueue().size();
  }

  /** Returns the number of calls that found the queue full. */
  public long rejected() {
    return rejected.get();
  }

  /** Makes a call and waits for its end; throws {@link TokenUnavailable} if there are too many, or if it takes too long. */
  <T> T call(Callable<T> work) {
    Future<T> future;
    try {
      future = threads.submit(work);
    } catch (RejectedExecutionException e) {
      rejected.incrementAndGet();
      throw new TokenUnavailable(
          "The token " + token + " has too much to do: " + waiting() + " calls wait. Raise pkcs11." + token
              + ".threads if it can do more at the same time.");
    }
    try {
      return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      future.cancel(false);
      throw new TokenUnavailable(
          "The token " + token + " does not answer within " + PATIENCE.toSeconds() + " seconds. Look at the device and its connection.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TokenUnavailable("The node stops while the token " + token + " works.");
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case TokenUnavailable away -> throw new TokenUnavailable(away.about(), away.sentence());
        case RuntimeException other -> throw other;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
