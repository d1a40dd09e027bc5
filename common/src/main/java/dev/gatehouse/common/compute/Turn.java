package dev.gatehouse.common.compute;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs work whose result nobody keeps on shared threads. Each caller waits for their turn, up to a bound; work that has begun is waited
 * for, because trying again would do it again.
 */
public final class Turn {

  /** However long work takes, its caller gets an answer. */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final ExecutorService threads;
  private final Semaphore places;
  private final Duration patience;

  /**
   * @param most callers at a time
   * @param patience how long each waits for their turn; what has not begun by then does not begin
   */
  public Turn(ExecutorService threads, int most, Duration patience) {
    this.threads = threads;
    this.places = new Semaphore(most);
    this.patience = patience;
  }

  /**
   * Returns what the computation returns; its failures are thrown as they are.
   *
   * @throws Busy if its turn does not come in time
   */
  public <T> T take(Supplier<T> computation) {
    try {
      return read(computation::get);
    } catch (IOException e) {
      throw new IllegalStateException("a supplier throws none", e);
    }
  }

  /** What reads files, and computes while it does. */
  @FunctionalInterface
  public interface Reading<T> {
    T read() throws IOException;
  }

  /** As {@link #take}, for what reads files. */
  public <T> T read(Reading<T> reading) throws IOException {
    if (!places.tryAcquire()) {
      throw new Busy();
    }
    try {
      return waited(reading);
    } catch (TimeoutException | CancellationException e) {
      throw new Busy();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Busy();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw thrown(e.getCause());
    } finally {
      places.release();
    }
  }

  private <T> T waited(Reading<T> reading) throws InterruptedException, ExecutionException, TimeoutException {
    // Set by whoever is first: the thread that begins, or the caller who gives up.
    AtomicBoolean decided = new AtomicBoolean();
    Future<T> result =
        threads.submit(
            () -> {
              if (!decided.compareAndSet(false, true)) {
                throw new CancellationException();
              }
              return reading.read();
            });
    try {
      return result.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      if (decided.compareAndSet(false, true)) {
        throw e;
      }
      return result.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      decided.set(true);
      throw e;
    }
  }

  static RuntimeException thrown(@Nullable Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException exception ? exception : new IllegalStateException(failure);
  }
}
