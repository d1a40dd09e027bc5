package dev.gatehouse.common.metric;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Records durations by the class of the response's status, which is the last label of its family. The histogram of a class is made when
 * the first response has it.
 */
public final class StatusTimer {

  private static final List<String> CLASSES = List.of("none", "1xx", "2xx", "3xx", "4xx", "5xx");

  private final HistogramFamily family;
  private final List<String> values;
  private final AtomicReferenceArray<Histogram> histograms = new AtomicReferenceArray<>(CLASSES.size());

  StatusTimer(HistogramFamily family, List<String> values) {
    this.family = family;
    this.values = values;
  }

  /** @param status of HTTP; anything else counts as no response */
  public void record(int status, long nanos) {
    int index = status >= 100 && status < 600 ? status / 100 : 0;
    Histogram histogram = histograms.get(index);
    if (histogram == null) {
      histogram = create(index);
    }
    histogram.record(nanos);
  }

  private Histogram create(int index) {
    List<String> all = new ArrayList<>(values);
    all.add(CLASSES.get(index));
    Histogram histogram = family.of(all);
    histograms.set(index, histogram);
    return histogram;
  }
}
