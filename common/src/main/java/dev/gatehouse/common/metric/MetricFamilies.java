package dev.gatehouse.common.metric;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** All metrics of a node that are no Micrometer meters. */
public final class MetricFamilies {

  private final List<MetricFamily> families = new CopyOnWriteArrayList<>();
  private final Consumer<MetricFamily> added;

  /** @param added takes each new family, to publish it */
  public MetricFamilies(Consumer<MetricFamily> added) {
    this.added = added;
  }

  /** Metrics that are not published, for tests. */
  public static MetricFamilies unpublished() {
    return new MetricFamilies(family -> {});
  }

  void add(MetricFamily family) {
    families.add(family);
    added.accept(family);
  }

  public List<MetricFamily> families() {
    return List.copyOf(families);
  }
}
