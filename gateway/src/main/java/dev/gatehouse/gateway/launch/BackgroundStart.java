package dev.gatehouse.gateway.launch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Work on a thread of its own while the start goes on. Not the common pool: its threads cannot see a nested jar's classes. */
final class BackgroundStart<T> {
  private final CompletableFuture<T> result = new CompletableFuture<>();

  private BackgroundStart() {}

  static <T> BackgroundStart<T> start(String name, Supplier<T> work) {
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

  /** Its result, or what it threw. */
  T join() {
    try {
      return result.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
