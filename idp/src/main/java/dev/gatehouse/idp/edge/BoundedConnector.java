package dev.gatehouse.idp.edge;

import dev.gatehouse.common.throttle.LogThrottle;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connector with {@linkplain ConnectorThreads threads of its own for its sockets}, that logs at most once a minute, and without a stack
 * trace, that connections cannot be accepted.
 */
final class BoundedConnector extends ServerConnector {

  private static final Logger LOG = LoggerFactory.getLogger(BoundedConnector.class);

  private static final long REST_MILLIS = 200;

  private final LogThrottle failures = new LogThrottle();
  private final ConnectorThreads threads;

  private BoundedConnector(Server server, ConnectorThreads threads, ConnectionFactory... factories) {
    super(server, threads, null, null, -1, -1, factories);
    this.threads = threads;
  }

  /** Returns a connector with the settings of one that has not started. */
  static BoundedConnector like(ServerConnector original) {
    BoundedConnector made =
        new BoundedConnector(
            original.getServer(),
            new ConnectorThreads(original.getServer().getThreadPool()),
            original.getConnectionFactories().toArray(ConnectionFactory[]::new));
    made.setDefaultProtocol(original.getDefaultProtocol());
    made.setHost(original.getHost());
    made.setPort(original.getPort());
    made.setIdleTimeout(original.getIdleTimeout());
    made.setAcceptQueueSize(original.getAcceptQueueSize());
    return made;
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    threads.started(true);
  }

  @Override
  protected void doStop() throws Exception {
    try {
      super.doStop();
    } finally {
      threads.started(false);
    }
  }

  /** Logs the failure, for which Jetty would write a stack trace each second. Returns whether to continue to accept. */
  @Override
  protected boolean handleAcceptFailure(Throwable failure) {
    if (failure instanceof ClosedChannelException) {
      // The connector stops.
      return false;
    }
    if (!isRunning() || !(failure instanceof IOException)) {
      return super.handleAcceptFailure(failure);
    }
    failures
        .count()
        .ifPresent(
            times ->
                LOG.error(
                    "Connections to port {} could not be accepted ({} times since the start): {}",
                    getLocalPort(), times, failure.toString()));
    try {
      Thread.sleep(REST_MILLIS);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }
}
