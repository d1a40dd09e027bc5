package dev.gatehouse.common.throttle;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a task with a pause in between, usually of one second, until it is closed. A failed run is repeated too; the log gets one line
 * until a run succeeds.
 */
public final class RepeatedTask implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RepeatedTask.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration UNTIL_ENDED = Duration.ofSeconds(10);

  /** One run. */
  public interface Task {
    void run() throws Exception;
  }

  private final String name;
  private final String failure;
  private final Task task;
  private final Duration untilEnded;
  private final ScheduledExecutorService thread;
  // Used only by the thread.
  private boolean failing;

  /**
   * Starts the task.
   *
   * @param name of the thread
   * @param failure for the log, for example "The audit log cannot be forced to disk"
   */
  public static RepeatedTask begin(String name, String failure, Task task) {
    return begin(name, failure, task, UNTIL_ENDED);
  }

  /** @param untilEnded how long {@link #close} waits for a run */
  public static RepeatedTask begin(String name, String failure, Task task, Duration untilEnded) {
    return begin(PAUSE, new RepeatedTask(name, failure, task, untilEnded));
  }

  /** Starts a task with another pause in between. */
  public static RepeatedTask every(Duration pause, String name, String failure, Task task) {
    return begin(pause, new RepeatedTask(name, failure, task, UNTIL_ENDED));
  }

  private static RepeatedTask begin(Duration pause, RepeatedTask repeated) {
    repeated.thread.scheduleWithFixedDelay(repeated::run, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    return repeated;
  }

  private RepeatedTask(String name, String failure, Task task, Duration untilEnded) {
    this.name = name;
    this.failure = failure;
    this.task = task;
    this.untilEnded = untilEnded;
    // Not virtual, because writes that are forced to disk would occupy the threads that carry virtual ones.
    this.thread =
        Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("gatehouse-" + name).daemon().factory());
  }

  private void run() {
    try {
      task.run();
      failing = false;
    } catch (Throwable e) {
      // Errors are caught as well, because an exception would end the schedule.
      if (!failing) {
        LOG.warn("{}; it is tried again and again", failure, e);
      }
      failing = true;
    }
  }

  @Override
  public void close() {
    // Not shutdownNow: an interrupt closes files of the database under a task that uses it.
    thread.shutdown();
    try {
      if (!thread.awaitTermination(untilEnded.toSeconds(), TimeUnit.SECONDS)) {
        LOG.warn("The task {} had not ended within {} s", name, untilEnded.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
