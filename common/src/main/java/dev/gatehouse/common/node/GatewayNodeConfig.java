package dev.gatehouse.common.node;

import java.time.Duration;
import java.util.Optional;

/**
 * The gateway's part of a node's configuration, without listeners.
 *
 * @param accessLog none if empty
 * @param limits of connections, sizes and times
 * @param memoryReserve per cent of the heap and of direct memory reserved for people with a session; 0 reserves none
 * @param cacheMemory bytes for stored responses, including overhead
 * @param bufferMemory bytes of direct memory for the buffers of all connections; if empty, what remains of it
 * @param labelValues the most values of a label of metrics that come from the configuration
 * @param tracing none if empty
 * @param analytics analytics of all roles
 * @param drainDelay how long all listeners serve on after readiness was turned off; empty if that depends on who asks for it
 */
public record GatewayNodeConfig(
    Optional<AccessLogConfig> accessLog, NodeLimits limits, int memoryReserve, long cacheMemory, Optional<Long> bufferMemory,
    int labelValues, Optional<TracingConfig> tracing, AnalyticsNodeConfig analytics, Optional<Duration> drainDelay) {

  public static final long USUAL_CACHE = 64L << 20;
  public static final int USUAL_LABEL_VALUES = 200;

  /** Creates a configuration with the usual memory for stored responses and the usual metrics. */
  public GatewayNodeConfig(Optional<AccessLogConfig> accessLog, NodeLimits limits, int memoryReserve) {
    this(accessLog, limits, memoryReserve, USUAL_CACHE, Optional.empty(), USUAL_LABEL_VALUES, Optional.empty(),
        AnalyticsNodeConfig.USUAL);
  }

  /** Creates a configuration with the usual delay of a stop. */
  public GatewayNodeConfig(
      Optional<AccessLogConfig> accessLog, NodeLimits limits, int memoryReserve, long cacheMemory, Optional<Long> bufferMemory,
      int labelValues, Optional<TracingConfig> tracing, AnalyticsNodeConfig analytics) {
    this(accessLog, limits, memoryReserve, cacheMemory, bufferMemory, labelValues, tracing, analytics, Optional.empty());
  }

  /** The defaults. */
  public static final GatewayNodeConfig USUAL = new GatewayNodeConfig(Optional.empty(), NodeLimits.USUAL, 10);
}
