package dev.gatehouse.common.compute;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Computes what is not kept on threads that others use, too: each caller waits for their turn, with a bound. */
public final class Turn {

  private final ExecutorService threads;
  private final Semaphore places;
  private final Duration patience;

  /**
   * @param most callers at a time
   * @param patience how long each waits; what has not begun by then does not begin
   */
  public Turn(ExecutorService threads, int most, Duration patience) {
    this.threads = threads;
    this.places = new Semaphore(most);
    this.patience = patience;
  }

  /**
   * Returns what the computation returns; its failures are thrown as they are.
   *
   * @throws Busy if it is not there in time
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
      Future<T> result = threads.submit(reading::read);
      try {
        return result.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        result.cancel(false);
        throw new Busy();
      } catch (InterruptedException e) {
        result.cancel(false);
        Thread.currentThread().interrupt();
        throw new Busy();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failure) {
          throw failure;
        }
        throw thrown(e.getCause());
      }
    } finally {
      places.release();
    }
  }

  static RuntimeException thrown(@Nullable Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException exception ? exception : new IllegalStateException(failure);
  }
}
