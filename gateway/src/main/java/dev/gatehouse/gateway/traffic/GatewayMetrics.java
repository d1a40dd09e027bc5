package dev.gatehouse.gateway.traffic;

import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts requests by outcome, failures of apps by kind, and open client connections. All tag values come from closed
 * lists.
 */
public final class GatewayMetrics {

  /** The outcome of a request. */
  public enum Outcome {
    PROXIED,
    CACHED,
    ENDPOINT,
    CHALLENGED,
    DENIED,
    MALFORMED,
    FAILED
  }

  private final Map<Outcome, Counter> requests = new EnumMap<>(Outcome.class);
  private final Map<UpstreamFailure, Counter> failures = new EnumMap<>(UpstreamFailure.class);
  private final AtomicInteger connections = new AtomicInteger();
  private final Counter unwritten;
  private final Counter excess;

  public GatewayMetrics(MeterRegistry registry) {
    for (Outcome outcome : Outcome.values()) {
      requests.put(outcome, Counter.builder("gatehouse.gateway.requests").description("Requests by how they ended")
              .tag("outcome", lower(outcome)).register(registry));
    }
    for (UpstreamFailure failure : UpstreamFailure.values()) {
      failures.put(failure, Counter.builder("gatehouse.gateway.upstream.failures").description("Requests that an app failed")
              .tag("kind", lower(failure)).register(registry));
    }
    unwritten = Counter.builder("gatehouse.gateway.refusals.unwritten")
            .description("Denials by the gateway that the audit log did not take").register(registry);
    excess = Counter.builder("gatehouse.gateway.connections.refused")
            .description("Client connections beyond the limit").register(registry);
    Gauge.builder("gatehouse.gateway.connections", connections, AtomicInteger::get)
        .description("Open connections of clients").register(registry);
  }

  public void count(Outcome outcome) {
    counter(requests, outcome).increment();
  }

  public void count(UpstreamFailure failure) {
    counter(failures, failure).increment();
  }

  /** Counts a refusal that exceeded the rate limit of the audit log and the log. */
  public void countUnwritten() {
    unwritten.increment();
  }

  /** Counts a client connection above the limit. */
  public void countExcess() {
    excess.increment();
  }

  /** The number of open client connections. */
  public AtomicInteger connections() {
    return connections;
  }

  private static <K> Counter counter(Map<K, Counter> counters, K key) {
    return java.util.Objects.requireNonNull(counters.get(key));
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
