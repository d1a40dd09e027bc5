package dev.gatehouse.common.node;

import java.time.Duration;

/**
 * Limits of a node's gateway towards clients and apps.
 *
 * @param connections of clients at the same time
 * @param connectionsPerAddress of one client address at the same time; of an IPv6 network of 64 bits
 * @param messages sizes of requests and responses
 * @param appConnections idle connections preserved per app and event loop
 * @param flow limits of data waiting for clients that read slowly
 * @param apps connections to apps
 */
public record NodeLimits(
    int connections,
    int connectionsPerAddress,
    Messages messages,
    int appConnections,
    Times times,
    Flow flow,
    Apps apps) {

  /** A body of any length. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  public static final NodeLimits USUAL =
      new NodeLimits(20_000, 1000, new NodeLimits.Messages(32 * 1024, 8 * 1024, 128, UNLIMITED, 512 * 1024, 64 * 1024), 256, new Times(
              Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(75), Duration.ofSeconds(60),
              Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(30), Duration.ofSeconds(2),
              Duration.ofSeconds(15)), Flow.USUAL, Apps.USUAL);

  /**
   * Sizes of requests and responses.
   *
   * @param head bytes of a request's or response's line and fields
   * @param target bytes of a request's target
   * @param fields number of fields in a head
   * @param body bytes of a request's body, unless the route has a limit
   * @param endpointBody bytes of a body for our own endpoints
   * @param replayBody bytes of a POST that is stored until after the login
   */
  public record Messages(int head, int target, int fields, long body, int endpointBody, int replayBody) {}

  /**
   * Limits of the data that wait for a client, and of its slowness.
   *
   * @param connectionBuffer bytes that are read from apps ahead of one client's connection, over all its streams
   * @param minRate bytes a second that a client must receive or send while there is something to receive or send
   */
  public record Flow(int connectionBuffer, int minRate) {
    public static final Flow USUAL = new Flow(128 * 1024, 500);
  }

  /**
   * Connections to apps.
   *
   * @param connections to all servers of all apps at the same time
   * @param perServer to one server at the same time
   * @param queue requests that wait for a connection to one server
   * @param queueTime how long each of them waits
   */
  public record Apps(int connections, int perServer, int queue, Duration queueTime) {
    public static final Apps USUAL = new Apps(8000, 2000, 1000, Duration.ofSeconds(5));
  }

  /**
   * Times of each phase.
   *
   * @param head from a request's first byte to the end of its head
   * @param body for progress of a request's body that comes slower than the minimum rate
   * @param idle between two requests
   * @param write for a client to receive its response, if it does so slower than the minimum rate
   * @param connect to open a connection to an app
   * @param response from the end of a request to the head of its response, and between two parts of the response's body
   * @param appIdle how long an unused connection to an app is preserved
   * @param appSafe the age up to which an unused connection may carry a request that must not be sent twice
   * @param drain how long a stop waits for running requests; {@code drain.grace}
   */
  public record Times(
      Duration head,
      Duration body,
      Duration idle,
      Duration write,
      Duration connect,
      Duration response,
      Duration appIdle,
      Duration appSafe,
      Duration drain) {}
}
