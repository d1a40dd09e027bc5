package dev.gatehouse.common.realm;

import java.time.Duration;

/**
 * How much and how long a node's gateway bears with clients and apps.
 *
 * @param connections of clients at the same time
 * @param connectionsPerAddress of one client address at the same time; of an IPv6 network of 64 bits
 * @param head bytes of a request's or response's line and fields
 * @param target bytes of a request's target
 * @param fields number of fields in a head
 * @param body bytes of a request's body, where a route says nothing else
 * @param endpointBody bytes of a body for our own endpoints
 * @param replayBody bytes of a POST that is kept for after the login
 * @param appConnections idle ones kept per app and event loop
 */
public record NodeLimits(
    int connections,
    int connectionsPerAddress,
    int head,
    int target,
    int fields,
    long body,
    int endpointBody,
    int replayBody,
    int appConnections,
    Times times) {

  /** A body of any length. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  public static final NodeLimits USUAL =
      new NodeLimits(
          20_000, 20_000, 32 * 1024, 8 * 1024, 128, UNLIMITED, 512 * 1024, 64 * 1024, 256,
          new Times(
              Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(75), Duration.ofSeconds(60),
              Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(30), Duration.ofSeconds(2),
              Duration.ofSeconds(15)));

  /**
   * Time for each phase.
   *
   * @param head from a request's first byte to the end of its head
   * @param body for a request's body to go on, where it comes slower than 500 bytes a second
   * @param idle between two requests
   * @param write for a client to take its response, where it takes it slower than 500 bytes a second
   * @param connect to open a connection to an app
   * @param response from the end of a request to the head of its response, and between two parts of the response's body
   * @param appIdle an unused connection to an app is kept
   * @param appSafe an unused connection is young enough for a request that must not be sent twice
   * @param drain running exchanges are waited for at shutdown
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
