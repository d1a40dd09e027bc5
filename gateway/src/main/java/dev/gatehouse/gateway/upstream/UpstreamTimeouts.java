package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.realm.UpstreamConfig.Connections;
import dev.gatehouse.common.realm.UpstreamConfig.Times;
import java.time.Duration;

/**
 * How long an app may take for each phase.
 *
 * @param connect to open a connection
 * @param tls for the handshake on it
 * @param firstByte from the end of the request to the head of the response
 * @param betweenBytes between two parts of the response's body
 * @param whole from the begin to the end; {@link Duration#ZERO} for no limit
 * @param keepAlive an unused connection is kept
 * @param idle unused connections kept per server and event loop
 */
public record UpstreamTimeouts(
    Duration connect, Duration tls, Duration firstByte, Duration betweenBytes, Duration whole, Duration keepAlive, int idle) {

  /** For routes that nobody asks. */
  static final UpstreamTimeouts USUAL =
      new UpstreamTimeouts(
          Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ZERO,
          Duration.ofSeconds(30), 256);

  /** What an app's configuration says, and else this. */
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

  /** For one question that has to be answered so soon, over a connection of its own. */
  public static UpstreamTimeouts within(Duration all) {
    return new UpstreamTimeouts(all, all, all, all, all, Duration.ZERO, 0);
  }
}
