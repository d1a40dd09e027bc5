package dev.gatehouse.common.realm;

/** Limits of one route: rates, bodies, times. */
public record TrafficConfig() {

  /** The node's limits alone. */
  public static final TrafficConfig USUAL = new TrafficConfig();
}
