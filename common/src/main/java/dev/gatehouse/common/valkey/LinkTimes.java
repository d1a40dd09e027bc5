package dev.gatehouse.common.valkey;

import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.trace.RequestTrace;
import io.opentelemetry.api.trace.SpanKind;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** How long operations of the shared stores take; failures are counted with the time until they failed. */
final class LinkTimes {

  private final Histogram reads = new Histogram();
  private final Histogram writes = new Histogram();
  private final Histogram failures = new Histogram();

  LinkTimes(MetricFamilies metrics, LongSupplier servedStale) {
    SampleFamily.builder("gatehouse.valkey.stale")
        .description("Sessions served from memory while no server confirmed them")
        .counter(() -> Map.of(List.of(), (double) servedStale.getAsLong()))
        .register(metrics);
    HistogramFamily.builder("gatehouse.valkey.duration")
        .description("Time of reads and acknowledged writes of Valkey, and of those that failed")
        .tag("operation")
        .register(metrics)
        .with(reads, "read")
        .with(writes, "write")
        .with(failures, "failure");
  }

  Histogram reads() {
    return reads;
  }

  Histogram writes() {
    return writes;
  }

  <T> T timed(Histogram times, String span, long begun, Supplier<T> operation) {
    boolean done = false;
    try {
      T result = operation.get();
      done = true;
      return result;
    } finally {
      long nanos = System.nanoTime() - begun;
      (done ? times : failures).record(nanos);
      RequestTrace.took(span, SpanKind.CLIENT, nanos);
    }
  }
}
