package dev.gatehouse.gateway.node;

import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.common.metric.HistogramFamily;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;

/** Publishes our histograms of a name beside Micrometer's metrics. */
final class PublishedHistogram implements Collector {

  private static final double[] BOUNDS = Histogram.BOUNDS.stream().mapToDouble(Double::doubleValue).toArray();

  private final HistogramFamily family;
  private final String name;
  private final String[] labels;

  PublishedHistogram(HistogramFamily family) {
    this.family = family;
    this.name = family.name().replace('.', '_') + "_seconds";
    this.labels = family.labels().toArray(String[]::new);
  }

  @Override
  public MetricSnapshot collect() {
    HistogramSnapshot.Builder snapshot = HistogramSnapshot.builder().name(name).help(family.description());
    family.forEach((values, histogram) -> snapshot.dataPoint(point(values, histogram)));
    return snapshot.build();
  }

  private HistogramDataPointSnapshot point(List<String> values, Histogram histogram) {
    return HistogramDataPointSnapshot.builder()
        .labels(Labels.of(labels, values.toArray(String[]::new)))
        .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, histogram.counts()))
        .sum(histogram.seconds())
        .build();
  }

  @Override
  public String getPrometheusName() {
    return name;
  }
}
