package dev.gatehouse.common.realm;

import java.time.Duration;
import java.util.Optional;

/**
 * Limits of one route.
 *
 * @param body bytes of a request's body; the node's limit where empty
 * @param perAddress of one client address; of an IPv6 network of 64 bits
 * @param perPerson of one person, or one holder of access tokens
 * @param perRoute of all together
 */
public record TrafficConfig(
    Optional<Long> body, Optional<Rate> perAddress, Optional<Rate> perPerson, Optional<Rate> perRoute) {

  /** The node's limits alone. */
  public static final TrafficConfig USUAL =
      new TrafficConfig(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /**
   * How many requests in how long.
   *
   * @param burst how many may come at once after a time of silence
   */
  public record Rate(long requests, Duration per, long burst) {}
}
