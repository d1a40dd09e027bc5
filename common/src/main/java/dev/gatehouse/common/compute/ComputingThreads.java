package dev.gatehouse.common.compute;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Platform threads for one kind of work that computes for milliseconds. Nothing interrupts a virtual thread that computes, so that
 * whoever waits for its carrier waits for the end of the work. Among platform threads, carriers included, the operating system shares the
 * processors.
 *
 * <p>Whoever hands work over waits for two thread switches, some ten microseconds: too much for a signature, nothing beside a hash of a PIN.
 */
public final class ComputingThreads {

  private static final long IDLE_SECONDS = 30;

  private ComputingThreads() {}

  /** Half of the processors, so that the rest is left for everything else. */
  public static int usual() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  /**
   * Nobody has to end them: each ends when there was nothing to compute for half a minute. What waits has no bound here.
   *
   * @param name of the threads, before their numbers
   * @param most at a time
   */
  public static ExecutorService of(String name, int most) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Thread.ofPlatform().daemon().name(name, 0).factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
