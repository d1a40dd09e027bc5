package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.metric.BoundedValues;
import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The counts of RADIUS. Clients count by name, because packets of strangers come to none. */
final class RadiusMetrics {

  /** How a request ended. */
  enum Result {
    ACCEPTED,
    REJECTED,
    CHALLENGED,
    ACCOUNTED,
    STATUS;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private record ByResult(String client, Result result) {}

  private final Optional<MeterRegistry> meters;
  private final BoundedValues clients;
  private final Map<ByResult, Counter> requests = new ConcurrentHashMap<>();
  private final Map<Dropped, LongAdder> dropped = new EnumMap<>(Dropped.class);
  private final LongAdder duplicates = new LongAdder();
  private final Histogram duration;

  /** @param most clients that have counts of their own */
  RadiusMetrics(Optional<MeterRegistry> meters, Optional<MetricFamilies> families, int most) {
    this.meters = meters;
    this.clients = new BoundedValues(most);
    for (Dropped reason : Dropped.values()) {
      LongAdder count = new LongAdder();
      dropped.put(reason, count);
      meters.ifPresent(registry -> publish(registry, reason, count));
    }
    meters.ifPresent(
        registry ->
            FunctionCounter.builder("gatehouse.radius.duplicates", duplicates, LongAdder::sum)
                .description("RADIUS packets that came again within 30 seconds")
                .register(registry));
    this.duration =
        families
            .map(
                all ->
                    HistogramFamily.builder("gatehouse.radius.request.duration")
                        .description("RADIUS requests from their arrival to their answer")
                        .register(all)
                        .of())
            .orElseGet(Histogram::new);
  }

  private static void publish(MeterRegistry registry, Dropped reason, LongAdder count) {
    FunctionCounter.builder("gatehouse.radius.dropped", count, LongAdder::sum)
        .description("RADIUS packets and connections that got no answer")
        .tag("reason", reason.name())
        .register(registry);
  }

  /** Counts a request that is answered. */
  void answered(String client, Result result, long nanos) {
    duration.record(nanos);
    meters.ifPresent(registry -> requests.computeIfAbsent(new ByResult(clients.of(client), result), by -> counter(registry, by)).increment());
  }

  private static Counter counter(MeterRegistry registry, ByResult by) {
    return Counter.builder("gatehouse.radius.requests")
        .description("RADIUS requests that were answered")
        .tag("client", by.client())
        .tag("result", by.result().label())
        .register(registry);
  }

  void duplicate() {
    duplicates.increment();
  }

  void dropped(Dropped reason) {
    Objects.requireNonNull(dropped.get(reason)).increment();
  }

  long times(Dropped reason) {
    return Objects.requireNonNull(dropped.get(reason)).sum();
  }

  long duplicates() {
    return duplicates.sum();
  }
}
