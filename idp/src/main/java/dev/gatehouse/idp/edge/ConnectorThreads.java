package dev.gatehouse.idp.edge;

import java.util.concurrent.Executor;
import org.eclipse.jetty.util.VirtualThreads;

/**
 * The threads of one connector: platform threads accept connections and wait until some of them can be read, the server's virtual ones do
 * all else. A virtual thread that waits in a selector is woken by the JDK's own poller, which waits for that selector: one thread more for
 * each request, and for each connection that is to be watched again after one.
 *
 * <p>A connector starts exactly its acceptors and selectors while it starts itself. They run until it stops.
 */
final class ConnectorThreads implements Executor, VirtualThreads.Configurable {

  /** Of the platform threads. */
  static final String NAME = "jetty-connector";

  private final Executor requests;
  private volatile boolean started;

  /** @param requests the server's threads, as many at once as it allows */
  ConnectorThreads(Executor requests) {
    this.requests = requests;
  }

  /** Tells that acceptors and selectors run, or that they are to be started again. */
  void started(boolean now) {
    started = now;
  }

  @Override
  public void execute(Runnable task) {
    if (started) {
      requests.execute(task);
    } else {
      Thread.ofPlatform().daemon().name(NAME).start(task);
    }
  }

  /** Selectors hand every request to these threads: it may wait for stores or other machines. */
  @Override
  public Executor getVirtualThreadsExecutor() {
    return requests;
  }
}
