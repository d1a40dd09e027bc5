package dev.gatehouse.common.db;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** How long callers wait for a connection of the database, and how long they use it. */
public final class DatabaseTimes implements IMetricsTracker {

  private final Histogram waits = new Histogram();
  private final Histogram uses = new Histogram();
  private final LongAdder timeouts = new LongAdder();

  @Override
  public void recordConnectionAcquiredNanos(long nanos) {
    waits.record(nanos);
  }

  /** The pool measures whole milliseconds only. */
  @Override
  public void recordConnectionUsageMillis(long millis) {
    uses.record(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Override
  public void recordConnectionTimeout() {
    timeouts.increment();
  }

  /** Adds the metrics, of the pool that is open at the moment. */
  public void publish(MetricFamilies metrics, Supplier<HikariDataSource> pool, Optional<Path> file) {
    HistogramFamily.builder("gatehouse.database.duration")
        .description("Time until a connection was free, and time that it was used for a transaction")
        .tag("operation")
        .register(metrics)
        .with(waits, "wait")
        .with(uses, "use");
    SampleFamily.builder("gatehouse.database.timeouts")
        .description("Callers that got no connection in time")
        .counter(() -> Map.of(List.of(), (double) timeouts.sum()))
        .register(metrics);
    SampleFamily.builder("gatehouse.database.connections")
        .description("Connections of the database in use, callers that wait for one, and the limit")
        .tag("state")
        .gauge(() -> connections(pool.get()))
        .register(metrics);
    SampleFamily.builder("gatehouse.database.bytes")
        .description("Bytes of the database's file")
        .gauge(() -> size(file).map(bytes -> Map.of(List.<String>of(), (double) bytes)).orElse(Map.of()))
        .register(metrics);
  }

  private static Map<List<String>, Double> connections(HikariDataSource pool) {
    HikariPoolMXBean state = pool.getHikariPoolMXBean();
    if (state == null) {
      return Map.of();
    }
    return Map.of(
        List.of("used"), (double) state.getActiveConnections(),
        List.of("waiting"), (double) state.getThreadsAwaitingConnection(),
        List.of("limit"), (double) pool.getMaximumPoolSize());
  }

  private static Optional<Long> size(Optional<Path> file) {
    try {
      return file.isPresent() ? Optional.of(Files.size(file.get())) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
