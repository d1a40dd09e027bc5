package dev.gatehouse.gateway.launch;

import java.util.concurrent.CountDownLatch;

/** Waits for SIGTERM or Ctrl-C, and closes everything before the process ends. */
final class Termination {
  private Termination() {}

  /** Does not return in practice: the process ends after the parts were closed in their order. */
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
        // The remaining parts must be closed nevertheless, because the process is ending.
        System.err.println("While stopping: " + e);
      }
    }
  }
}
