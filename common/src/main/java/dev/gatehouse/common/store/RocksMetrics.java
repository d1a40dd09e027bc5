package dev.gatehouse.common.store;

import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The metrics of the embedded stores, which have no values once the stores are closed. */
final class RocksMetrics {

  private RocksMetrics() {}

  static void publish(RocksEngine engine, BooleanSupplier closed, MetricFamilies metrics) {
    engine.times().publish(metrics);
    SampleFamily.builder("gatehouse.store.bytes")
        .description("Bytes of the embedded stores")
        .gauge(() -> closed.getAsBoolean() ? Map.of() : Map.of(List.of(), (double) engine.bytes()))
        .register(metrics);
    SampleFamily.builder("gatehouse.store.memory")
        .description("Bytes of memory outside of the heap that the embedded stores hold, by what for")
        .tag("part")
        .gauge(() -> closed.getAsBoolean() ? Map.of() : engine.memory())
        .register(metrics);
    SampleFamily.builder("gatehouse.store.keys")
        .description("Estimated number of keys of each embedded store")
        .tag("store")
        .gauge(() -> closed.getAsBoolean() ? Map.of() : engine.keys())
        .register(metrics);
  }
}
