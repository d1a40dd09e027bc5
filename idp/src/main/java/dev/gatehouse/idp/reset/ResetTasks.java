package dev.gatehouse.idp.reset;

import dev.gatehouse.common.throttle.LogThrottle;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs what must not show in the time of an answer. Bounded: beyond that, requests have no effect. */
@FunctionalInterface
public interface ResetTasks {

  void add(Runnable task);

  /** Returns tasks on a few threads of their own. */
  static ResetTasks inBackground() {
    return new Background();
  }

  /** Tasks on threads that end when they have nothing to do. */
  final class Background implements ResetTasks, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ResetTasks.class);
    private static final int THREADS = 4;
    private static final int MOST = 1_000;

    private final LogThrottle failures = new LogThrottle();
    private final ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST),
            Thread.ofVirtual().name("password-reset-", 0).factory());

    private Background() {
      threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void add(Runnable task) {
      try {
        threads.execute(() -> run(task));
      } catch (RejectedExecutionException e) {
        failed(e);
      }
    }

    private void run(Runnable task) {
      try {
        task.run();
      } catch (RuntimeException e) {
        failed(e);
      }
    }

    private void failed(RuntimeException e) {
      failures.count().ifPresent(times -> LOG.warn("A link for a new password was not sent ({} since the start)", times, e));
    }

    @Override
    public void close() {
      threads.shutdown();
    }
  }
}
