package dev.gatehouse.common.logout;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats a task with a pause of one second in between, until it is closed. A failed run is repeated too. */
public final class RepeatedTask implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RepeatedTask.class);

  private final String what;
  private final Runnable task;
  private final ScheduledExecutorService thread;
  // Used only by the thread.
  private boolean failing;

  /**
   * Starts the task.
   *
   * @param what for the log, and the thread's name
   */
  public static RepeatedTask begin(String what, Runnable task) {
    RepeatedTask repeated = new RepeatedTask(what, task);
    repeated.thread.scheduleWithFixedDelay(repeated::run, 1, 1, TimeUnit.SECONDS);
    return repeated;
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
      // It may fail every second until it is over: log it once.
      if (!failing) {
        LOG.error("{} failed; it will be tried again", what, e);
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
