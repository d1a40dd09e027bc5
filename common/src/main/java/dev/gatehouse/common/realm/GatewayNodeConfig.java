package dev.gatehouse.common.realm;

import java.util.Optional;

/**
 * What a node's configuration says of its gateway besides listeners.
 *
 * @param accessLog none where empty
 * @param limits of connections, sizes and times
 * @param cacheMemory bytes that kept responses may take, with what it costs to keep them
 * @param memoryReserve per cent of the heap and of direct memory that are kept for people who have a session; 0 keeps none
 * @param bufferMemory bytes of direct memory for the buffers of all connections; what is left of it where empty
 */
public record GatewayNodeConfig(
    Optional<AccessLogConfig> accessLog, NodeLimits limits, int memoryReserve, long cacheMemory, Optional<Long> bufferMemory) {

  public static final long USUAL_CACHE = 64L << 20;

  /** With the usual memory for kept responses. */
  public GatewayNodeConfig(Optional<AccessLogConfig> accessLog, NodeLimits limits, int memoryReserve) {
    this(accessLog, limits, memoryReserve, USUAL_CACHE, Optional.empty());
  }

  /** Nothing said. */
  public static final GatewayNodeConfig USUAL = new GatewayNodeConfig(Optional.empty(), NodeLimits.USUAL, 10);
}
