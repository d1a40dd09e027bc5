package dev.gatehouse.common.realm;

import java.time.Duration;
import java.util.Optional;

/**
 * Limits of one route.
 *
 * @param body bytes of a request's body; the node's limit if empty
 * @param perAddress rate of one client address; of an IPv6 network of 64 bits
 * @param perPerson rate of one person, or of one holder of access tokens
 * @param perRoute rate of all requests together
 */
public record TrafficConfig(
    Optional<Long> body, Optional<Rate> perAddress, Optional<Rate> perPerson, Optional<Rate> perRoute) {

  /** The node's limits only. */
  public static final TrafficConfig USUAL =
      new TrafficConfig(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /**
   * A rate of requests.
   *
   * @param burst number of requests that may come at once after an idle period
   */
  public record Rate(long requests, Duration per, long burst) {}
}
