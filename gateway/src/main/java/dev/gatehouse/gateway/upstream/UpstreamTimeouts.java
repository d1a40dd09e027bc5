package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.realm.UpstreamConfig.Connections;
import dev.gatehouse.common.realm.UpstreamConfig.Times;
import java.time.Duration;

/**
 * The time limits of an app.
 *
 * @param connect to open a connection
 * @param tls for the handshake on it
 * @param firstByte from the end of the request to the head of the response
 * @param betweenBytes between two parts of the response's body
 * @param whole from the beginning to the end; {@link Duration#ZERO} for no limit
 * @param keepAlive how long an unused connection stays open
 * @param idle the number of unused connections per server and event loop
 */
public record UpstreamTimeouts(
    Duration connect, Duration tls, Duration firstByte, Duration betweenBytes, Duration whole, Duration keepAlive, int idle) {

  /** The timeouts of upstreams that receive no requests. */
  static final UpstreamTimeouts USUAL =
      new UpstreamTimeouts(
          Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ZERO,
          Duration.ofSeconds(30), 256);

  /** The limits of apps that do not configure their own. */
  public static UpstreamTimeouts of(NodeLimits node) {
    Duration connect = node.times().connect();
    Duration response = node.times().response();
    return new UpstreamTimeouts(
        connect, connect, response, response, Duration.ZERO, node.times().appIdle(), node.appConnections());
  }

  /** The limits of an app's configuration, with these as defaults. */
  UpstreamTimeouts with(Times times, Connections connections) {
    return new UpstreamTimeouts(
        times.connect().orElse(connect),
        times.tls().orElse(tls),
        times.firstByte().orElse(firstByte),
        times.betweenBytes().orElse(betweenBytes),
        times.whole().orElse(whole),
        connections.keepAlive().orElse(keepAlive),
        connections.idle().orElse(idle));
  }

  /** Returns the timeouts of a health check that must be answered within that time, over its own connection. */
  public static UpstreamTimeouts within(Duration all) {
    return new UpstreamTimeouts(all, all, all, all, all, Duration.ZERO, 0);
  }
}
