package dev.gatehouse.common.metric;

import java.util.List;

/** Metrics of one name that differ by the values of their labels. */
public sealed interface MetricFamily permits HistogramFamily, SampleFamily {

  /** The name with dots, as in the reference of metrics. */
  String name();

  String description();

  List<String> labels();
}
