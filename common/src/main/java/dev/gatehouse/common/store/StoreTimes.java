package dev.gatehouse.common.store;

import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.trace.RequestTrace;
import io.opentelemetry.api.trace.SpanKind;

/** How long operations of the embedded stores take. */
final class StoreTimes {

  private final Histogram reads = new Histogram();
  private final Histogram writes = new Histogram();
  private final Histogram syncs = new Histogram();

  void read(long begun) {
    record(reads, "store read", System.nanoTime() - begun);
  }

  void written(long begun) {
    record(writes, "store write", System.nanoTime() - begun);
  }

  private static void record(Histogram times, String span, long nanos) {
    times.record(nanos);
    RequestTrace.took(span, SpanKind.INTERNAL, nanos);
  }

  void synced(long begun) {
    syncs.record(System.nanoTime() - begun);
  }

  void publish(MetricFamilies metrics) {
    HistogramFamily.builder("gatehouse.store.duration")
        .description("Time of reads, writes and syncs of the embedded stores")
        .tag("operation")
        .register(metrics)
        .with(reads, "read")
        .with(writes, "write")
        .with(syncs, "sync");
  }
}
