package dev.gatehouse.idp.edge;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.eclipse.jetty.util.thread.strategy.AdaptiveExecutionStrategy;

/**
 * Virtual threads for Jetty, of which at most one for each selector waits for a carrier in order to select.
 *
 * <p>A thread of Jetty that has selected a request starts another one that selects on, and serves the request itself. When it has served
 * it, it selects on if nobody else does. Where all carriers are busy the other ones come too late: for each request one would be started,
 * wait, and find nothing to do.
 *
 * <p>Jetty's bound of tasks is off, since it would count those that accept and select as well: {@link BoundedRequests} is ours.
 */
public final class EdgeThreads extends VirtualThreadPool {

  private final Map<Runnable, Successor> successors = new ConcurrentHashMap<>();

  /** @param name of all threads, which a number follows */
  public EdgeThreads(String name) {
    super(0);
    setName(name);
  }

  @Override
  public boolean tryExecute(Runnable task) {
    return task instanceof AdaptiveExecutionStrategy ? successors.computeIfAbsent(task, Successor::new).start() : super.tryExecute(task);
  }

  @Override
  protected void doStop() throws Exception {
    super.doStop();
    // Connectors have other selectors when they start again.
    successors.clear();
  }

  /** The thread that will select on for one selector. */
  private final class Successor implements Runnable {

    private final Runnable selecting;
    private final AtomicBoolean started = new AtomicBoolean();

    Successor(Runnable selecting) {
      this.selecting = selecting;
    }

    /** Returns whether there will be one. */
    boolean start() {
      if (!started.compareAndSet(false, true)) {
        return true;
      }
      boolean accepted = false;
      try {
        accepted = EdgeThreads.super.tryExecute(this);
        return accepted;
      } finally {
        // Also after an error, such as one of memory: nobody would select on.
        if (!accepted) {
          started.set(false);
        }
      }
    }

    @Override
    public void run() {
      // First, so that whoever relies on this thread from now on finds that it selects, or starts another one.
      started.set(false);
      selecting.run();
    }
  }
}
