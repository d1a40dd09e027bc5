package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.node.NodeLimits.Apps;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Divides the process's file descriptors: connections from clients and to apps never use up those that accepting, logs,
 * stores and outbound calls need.
 */
final class Descriptors {

  private static final Logger LOG = LoggerFactory.getLogger(Descriptors.class);

  private static final int USUAL_RESERVE = 1024;

  private Descriptors() {}

  /**
   * Reduces the limits to the available descriptors; if they are few, two of seven are for connections to apps. Excess
   * connections need descriptors as well while they are answered.
   *
   * @param available descriptors, without those of other listeners and of files that are open already
   */
  static NodeLimits fit(NodeLimits limits, long available) {
    long reserve = Math.min(USUAL_RESERVE, available / 3);
    long wanted = (long) limits.connections() + ExcessConnection.most(limits.connections()) + limits.apps().connections();
    if (wanted <= available - reserve) {
      return limits;
    }
    int rest = (int) (available - reserve);
    Apps apps = limits.apps();
    // Descriptors that one kind does not need are available to the other.
    int most = limits.connections() + ExcessConnection.most(limits.connections());
    int toApps = Math.min(apps.connections(), Math.max(1, Math.max(rest / 7 * 2, rest - most)));
    int clients = Math.min(limits.connections(), Math.max(1, ExcessConnection.without(rest - toApps)));
    LOG.warn(
        "There are {} file descriptors for connections: {} connections of clients and {} to apps are allowed instead of {} and {};"
            + " a higher limit (LimitNOFILE, ulimit -n) allows more",
        available, clients, toApps, limits.connections(), apps.connections());
    return new NodeLimits(
        clients, Math.min(limits.connectionsPerAddress(), clients), limits.messages(), limits.appConnections(),
        limits.times(), limits.flow(),
        new Apps(toApps, Math.min(apps.perServer(), toApps), apps.queue(), apps.queueTime()));
  }
}
