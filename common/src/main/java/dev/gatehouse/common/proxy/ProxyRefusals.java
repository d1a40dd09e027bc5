package dev.gatehouse.common.proxy;

import dev.gatehouse.common.throttle.LogThrottle;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The count of connections that were closed because of their PROXY header, with a line of the log a minute for each reason. */
public final class ProxyRefusals {

  private static final Logger LOG = LoggerFactory.getLogger(ProxyRefusals.class);

  private final Map<ProxyRefusal, LogThrottle> counts = new EnumMap<>(ProxyRefusal.class);

  public ProxyRefusals() {
    for (ProxyRefusal refusal : ProxyRefusal.values()) {
      counts.put(refusal, new LogThrottle());
    }
  }

  /** Offers the counts as metrics. */
  public ProxyRefusals publish(MeterRegistry registry, String edge) {
    counts.forEach(
        (refusal, count) ->
            FunctionCounter.builder("gatehouse.proxy.protocol.refused", count, LogThrottle::times)
                .description("Connections that were closed because of their PROXY header")
                .tag("edge", edge)
                .tag("reason", refusal.label())
                .register(registry));
    return this;
  }

  /** Counts a connection that is closed. */
  public void count(ProxyRefusal refusal, InetAddress peer, int port) {
    count(refusal)
        .count()
        .ifPresent(
            times ->
                LOG.warn(
                    "A connection from {} to port {} was closed: {} ({} times since the start)",
                    peer.getHostAddress(), port, refusal.sentence(), times));
  }

  /** Returns the number of connections closed for that reason. */
  public long times(ProxyRefusal refusal) {
    return count(refusal).times();
  }

  private LogThrottle count(ProxyRefusal refusal) {
    return java.util.Objects.requireNonNull(counts.get(refusal));
  }
}
