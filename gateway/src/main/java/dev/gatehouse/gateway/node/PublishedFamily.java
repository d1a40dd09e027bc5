package dev.gatehouse.gateway.node;

import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamily;
import dev.gatehouse.common.metric.SampleFamily;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;

/** Publishes metrics of ours of a name beside Micrometer's metrics. */
final class PublishedFamily implements Collector {

  private static final double[] BOUNDS = Histogram.BOUNDS.stream().mapToDouble(Double::doubleValue).toArray();

  private final MetricFamily family;
  private final String name;
  private final String[] labels;

  PublishedFamily(MetricFamily family) {
    this.family = family;
    this.name = family.name().replace('.', '_') + (family instanceof HistogramFamily ? "_seconds" : "");
    this.labels = family.labels().toArray(String[]::new);
  }

  @Override
  public MetricSnapshot collect() {
    return switch (family) {
      case HistogramFamily histograms -> {
        HistogramSnapshot.Builder snapshot = HistogramSnapshot.builder().name(name).help(family.description());
        histograms.forEach((values, histogram) -> snapshot.dataPoint(point(values, histogram)));
        yield snapshot.build();
      }
      case SampleFamily counts when counts.isCounter() -> {
        CounterSnapshot.Builder snapshot = CounterSnapshot.builder().name(name).help(family.description());
        counts.samples().forEach(
            (values, value) -> snapshot.dataPoint(CounterDataPointSnapshot.builder().labels(labels(values)).value(value).build()));
        yield snapshot.build();
      }
      case SampleFamily levels -> {
        GaugeSnapshot.Builder snapshot = GaugeSnapshot.builder().name(name).help(family.description());
        levels.samples().forEach(
            (values, value) -> snapshot.dataPoint(GaugeDataPointSnapshot.builder().labels(labels(values)).value(value).build()));
        yield snapshot.build();
      }
    };
  }

  private Labels labels(List<String> values) {
    return Labels.of(labels, values.toArray(String[]::new));
  }

  private HistogramDataPointSnapshot point(List<String> values, Histogram histogram) {
    return HistogramDataPointSnapshot.builder()
        .labels(labels(values))
        .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, histogram.counts()))
        .sum(histogram.seconds())
        .build();
  }

  @Override
  public String getPrometheusName() {
    return name;
  }
}
