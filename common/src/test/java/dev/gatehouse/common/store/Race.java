package dev.gatehouse.common.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Many virtual threads that start at once. */
public final class Race {

  private Race() {}

  /** Runs {@code runner.apply(0..runners-1)} in parallel and returns what each returned, in that order. */
  public static <T> List<T> of(int runners, IntFunction<Callable<T>> runner) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < runners; i++) {
        Callable<T> task = runner.apply(i);
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return task.call();
                }));
      }
      start.countDown();
      for (Future<T> one : running) {
        results.add(one.get());
      }
    }
    return results;
  }
}
