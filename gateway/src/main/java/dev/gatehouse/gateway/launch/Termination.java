package dev.gatehouse.gateway.launch;

import java.util.concurrent.CountDownLatch;

/** Waits for SIGTERM or Ctrl-C and closes in order before the process ends. */
final class Termination {
  private Termination() {}

  /** Returns never in practice: the process ends after everything is closed, the first one first. */
  static void await(AutoCloseable... parts) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(() -> close(parts)));
    never.await();
  }

  private static void close(AutoCloseable... parts) {
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception e) {
        // The others must close all the same; the process is ending.
        System.err.println("While stopping: " + e);
      }
    }
  }
}
