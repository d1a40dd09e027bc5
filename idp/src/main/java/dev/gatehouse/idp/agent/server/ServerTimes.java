package dev.gatehouse.idp.agent.server;

import java.util.List;
import java.util.OptionalDouble;

/**
 * A server as the agent has found it by what it did anyway.
 *
 * @param isUp whether it is asked: it answered last, and does not rest
 * @param probeSeconds the moving average of probes, if it answered one
 * @param requestSeconds the moving average of decisions about passcodes, if it made one within a minute
 */
public record ServerTimes(String server, boolean isUp, OptionalDouble probeSeconds, OptionalDouble requestSeconds) {

  /** Returns those of all servers, in the configured order. */
  public static List<ServerTimes> of(RealmServers servers) {
    return servers.all().stream().map(ServerTimes::of).toList();
  }

  private static ServerTimes of(RealmServer server) {
    synchronized (server) {
      return new ServerTimes(
          server.toString(), !server.rests(), seconds(server.probeMillis()), seconds(server.requestMillis(System.nanoTime())));
    }
  }

  private static OptionalDouble seconds(double millis) {
    return Double.isNaN(millis) ? OptionalDouble.empty() : OptionalDouble.of(millis / 1000);
  }
}
