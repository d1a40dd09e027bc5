package dev.gatehouse.common.realm;

import java.util.Optional;

/**
 * What a node's configuration says of its gateway besides listeners.
 *
 * @param accessLog none where empty
 * @param limits of connections, sizes and times
 * @param memoryReserve per cent of the heap that is kept for people who have a session; 0 keeps none
 */
public record GatewayNodeConfig(Optional<AccessLogConfig> accessLog, NodeLimits limits, int memoryReserve) {

  /** Nothing said. */
  public static final GatewayNodeConfig USUAL = new GatewayNodeConfig(Optional.empty(), NodeLimits.USUAL, 10);
}
