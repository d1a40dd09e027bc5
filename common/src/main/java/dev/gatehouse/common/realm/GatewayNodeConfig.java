package dev.gatehouse.common.realm;

import java.util.Optional;

/**
 * What a node's configuration says of its gateway besides listeners.
 *
 * @param accessLog none where empty
 * @param limits of connections, sizes and times
 * @param cacheMemory bytes that kept responses may take, with what it costs to keep them
 * @param memoryReserve per cent of the heap that is kept for people who have a session; 0 keeps none
 */
public record GatewayNodeConfig(Optional<AccessLogConfig> accessLog, NodeLimits limits, int memoryReserve, long cacheMemory) {

  public static final long USUAL_CACHE = 64L << 20;

  /** With the usual memory for kept responses. */
  public GatewayNodeConfig(Optional<AccessLogConfig> accessLog, NodeLimits limits, int memoryReserve) {
    this(accessLog, limits, memoryReserve, USUAL_CACHE);
  }

  /** Nothing said. */
  public static final GatewayNodeConfig USUAL = new GatewayNodeConfig(Optional.empty(), NodeLimits.USUAL, 10, USUAL_CACHE);
}
