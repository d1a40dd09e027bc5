package dev.gatehouse.gateway.traffic;

import dev.gatehouse.common.realm.NodeLimits;
import dev.gatehouse.common.realm.NodeLimits.Apps;
import dev.gatehouse.common.realm.NodeLimits.Flow;
import dev.gatehouse.common.realm.NodeLimits.Times;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.upstream.UpstreamTimeouts;
import java.time.Duration;

/**
 * The time limits and size limits of the gateway.
 *
 * @param heads sizes of request and response heads
 * @param head from a request's first byte to the end of its head
 * @param body how long a request's body may stay below the minimum rate
 * @param idle between two requests
 * @param write how long a client may take to read what fills the socket's buffers
 * @param connect to open a connection to an app
 * @param response from the end of a request to the head of its response, and between two parts of the response's body
 * @param upstreamIdle how long an unused connection to an app stays open
 * @param upstreamSafe up to which age an unused connection may carry a request that must not be sent twice
 * @param drain how long active exchanges may take at shutdown
 * @param endpointBody bytes of a body for the gateway's own endpoints
 * @param replayBody bytes of a POST that is saved during the login
 * @param connections client connections at the same time
 * @param upstreamConnections idle connections per app and event loop
 * @param connectionsPerAddress connections of one client address at the same time
 * @param maxBody bytes of a request's body, unless its route sets another limit
 * @param flow what may wait for a client that reads slowly
 * @param apps connections to apps
 */
public record GatewayLimits(
    HeadLimits heads,
    Duration head,
    Duration body,
    Duration idle,
    Duration write,
    Duration connect,
    Duration response,
    Duration upstreamIdle,
    Duration upstreamSafe,
    Duration drain,
    int endpointBody,
    int replayBody,
    int connections,
    int upstreamConnections,
    int connectionsPerAddress,
    long maxBody,
    Flow flow,
    Apps apps) {

  /** The timeouts of an app that does not configure its own. */
  public UpstreamTimeouts upstreamTimeouts() {
    return new UpstreamTimeouts(connect, connect, response, response, Duration.ZERO, upstreamIdle, upstreamConnections);
  }

  /** For tests. */
  public GatewayLimits withConnectionsPerAddress(int most) {
    return new GatewayLimits(
        heads, head, body, idle, write, connect, response, upstreamIdle, upstreamSafe, drain, endpointBody, replayBody,
        connections, upstreamConnections, most, maxBody, flow, apps);
  }

  /** A copy with fewer client connections. */
  public GatewayLimits withConnections(int most, int perAddress) {
    return new GatewayLimits(
        heads, head, body, idle, write, connect, response, upstreamIdle, upstreamSafe, drain, endpointBody, replayBody,
        most, upstreamConnections, perAddress, maxBody, flow, apps);
  }

  /** A copy with other limits of connections to apps. */
  public GatewayLimits with(Apps other) {
    return new GatewayLimits(
        heads, head, body, idle, write, connect, response, upstreamIdle, upstreamSafe, drain, endpointBody, replayBody,
        connections, upstreamConnections, connectionsPerAddress, maxBody, flow, other);
  }

  public static GatewayLimits standard() {
    return of(NodeLimits.USUAL);
  }

  /** The limits of a node's configuration. */
  public static GatewayLimits of(NodeLimits node) {
    Times times = node.times();
    return new GatewayLimits(
        new HeadLimits(node.messages().head(), node.messages().target(), node.messages().fields()),
        times.head(),
        times.body(),
        times.idle(),
        times.write(),
        times.connect(),
        times.response(),
        times.appIdle(),
        times.appSafe(),
        times.drain(),
        node.messages().endpointBody(),
        node.messages().replayBody(),
        node.connections(),
        node.appConnections(),
        node.connectionsPerAddress(),
        node.messages().body(),
        node.flow(),
        node.apps());
  }
}
