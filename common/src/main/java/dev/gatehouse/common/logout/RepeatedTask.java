package dev.gatehouse.common.logout;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something again and again, a second after it was done, until it is closed. What fails is done again. */
public final class RepeatedTask implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RepeatedTask.class);

  private final String what;
  private final Runnable task;
  private final ScheduledExecutorService thread;
  // Used by the thread only.
  private boolean failing;

  /** Starts at once. @param what for the log, and the thread's name */
  public static RepeatedTask begin(String what, Runnable task) {
    RepeatedTask every = new RepeatedTask(what, task);
    every.thread.scheduleWithFixedDelay(every::run, 1, 1, TimeUnit.SECONDS);
    return every;
  }

  private RepeatedTask(String what, Runnable task) {
    this.what = what;
    this.task = task;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("gatehouse-" + what).factory());
  }

  private void run() {
    try {
      task.run();
      failing = false;
    } catch (RuntimeException e) {
      // Every second until it is over: say it once.
      if (!failing) {
        LOG.error("{} failed; it goes on being tried", what, e);
      }
      failing = true;
    }
  }

  @Override
  public void close() {
    // Not shutdownNow: an interrupt closes files of the database under a task that uses it.
    thread.shutdown();
    try {
      if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
        LOG.warn("{} did not end within 10 s", what);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
