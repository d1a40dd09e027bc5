package dev.gatehouse.idp.edge;

import dev.gatehouse.common.throttle.LogThrottle;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connector whose connections take turns ({@link FairEndPoint}), and that logs at most once a minute, and without a stack trace, that
 * connections cannot be accepted.
 */
final class BoundedConnector extends ServerConnector {

  private static final Logger LOG = LoggerFactory.getLogger(BoundedConnector.class);

  private static final long REST_MILLIS = 200;

  /** A customizer, and the first one, because no handler sees the requests that Jetty refuses for their paths. */
  private static final HttpConfiguration.Customizer TURNS = BoundedConnector::endTurn;

  private final LogThrottle failures = new LogThrottle();

  private BoundedConnector(Server server, ConnectionFactory... factories) {
    super(server, factories);
  }

  /** Returns a connector with the settings of one that has not started. */
  static BoundedConnector like(ServerConnector original) {
    BoundedConnector made =
        new BoundedConnector(original.getServer(), original.getConnectionFactories().toArray(ConnectionFactory[]::new));
    made.setDefaultProtocol(original.getDefaultProtocol());
    made.setHost(original.getHost());
    made.setPort(original.getPort());
    made.setIdleTimeout(original.getIdleTimeout());
    made.setAcceptQueueSize(original.getAcceptQueueSize());
    for (HttpConfiguration.ConnectionFactory http : made.getBeans(HttpConfiguration.ConnectionFactory.class)) {
      List<HttpConfiguration.Customizer> customizers = http.getHttpConfiguration().getCustomizers();
      if (!customizers.contains(TURNS)) {
        customizers.addFirst(TURNS);
      }
    }
    return made;
  }

  /** Ends the turn of its connection with each request, before Jetty reads the next one. */
  private static Request endTurn(Request request, HttpFields.Mutable responseHeaders) {
    Request.addCompletionListener(
        request, failure -> FairEndPoint.endTurn(request.getConnectionMetaData().getConnection().getEndPoint()));
    return request;
  }

  @Override
  protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
    FairEndPoint made = new FairEndPoint(channel, selector, key, getScheduler());
    made.setIdleTimeout(getIdleTimeout());
    return made;
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
