package dev.gatehouse.gateway.launch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import sun.misc.Signal;

/**
 * Waits for SIGTERM or Ctrl-C, drains the node, and closes everything before the process ends. A second signal, more than a second
 * later, ends the process at once, as {@code kill -9} would; what was acknowledged is durable.
 */
final class Termination {
  /** A supervisor may send a signal to the process and to its group, as timeout(1) does: these two are one. */
  private static final long SAME_NANOS = Duration.ofSeconds(1).toNanos();

  private Termination() {}

  /** Does not return in practice: the process ends after the parts were closed in their order, the node first. */
  static void await(RunningNode node, AutoCloseable... further) throws InterruptedException {
    List<AutoCloseable> parts = new ArrayList<>();
    parts.add(node::drain);
    parts.add(node);
    parts.addAll(List.of(further));
    await(parts);
  }

  /** Does not return in practice, as above. */
  static void await(List<? extends AutoCloseable> parts) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(() -> parts.forEach(Termination::close)));
    AtomicLong told = new AtomicLong();
    for (String name : new String[] {"TERM", "INT"}) {
      Signal.handle(new Signal(name), signal -> end(told, 128 + signal.getNumber()));
    }
    never.await();
  }

  /** Is called on a thread of its own. The virtual machine would ignore a second signal while it stops. */
  private static void end(AtomicLong told, int code) {
    if (told.compareAndSet(0, System.nanoTime() | 1)) {
      System.exit(code);
    } else if (System.nanoTime() - told.get() > SAME_NANOS) {
      Runtime.getRuntime().halt(code);
    }
  }

  private static void close(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      // The remaining parts must be closed nevertheless, because the process is ending.
      System.err.println("While stopping: " + e);
    }
  }
}
