package dev.gatehouse.gateway.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Runs a task of the start on its own thread. The common pool is not used, because its threads cannot load the classes
 * of nested jars.
 */
public final class BackgroundStart<T> {
  private final CompletableFuture<T> result = new CompletableFuture<>();

  private BackgroundStart() {}

  public static <T> BackgroundStart<T> start(String name, Supplier<T> work) {
    BackgroundStart<T> aside = new BackgroundStart<>();
    Thread.ofPlatform().name(name).start(() -> aside.run(work));
    return aside;
  }

  private void run(Supplier<T> work) {
    try {
      result.complete(work.get());
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }

  /** Waits for the result; rethrows the task's exception. */
  public T join() {
    try {
      return result.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
