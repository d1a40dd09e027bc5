package dev.gatehouse.perf.service;

import java.util.List;

/**
 * A line through samples, by least squares.
 *
 * @param mean of the samples
 * @param anHour by how much they grow in an hour
 * @param error the standard error of that
 */
record Slope(double mean, double anHour, double error) {

  /** Two points are always on a line. */
  static final int FEWEST = 3;

  /** What was seen at a time, in minutes. */
  record Sample(double minute, double value) {}

  /** @param samples at least three, at different times */
  static Slope of(List<Sample> samples) {
    int n = samples.size();
    if (n < FEWEST) {
      throw new IllegalArgumentException("no line through " + samples);
    }
    double middle = samples.stream().mapToDouble(Sample::minute).average().orElseThrow();
    double mean = samples.stream().mapToDouble(Sample::value).average().orElseThrow();
    double xx = 0;
    double xy = 0;
    for (Sample each : samples) {
      xx += (each.minute() - middle) * (each.minute() - middle);
      xy += (each.minute() - middle) * (each.value() - mean);
    }
    double slope = xy / xx;
    double residuals = 0;
    for (Sample each : samples) {
      double rest = each.value() - mean - slope * (each.minute() - middle);
      residuals += rest * rest;
    }
    return new Slope(mean, 60 * slope, 60 * Math.sqrt(residuals / (n - 2) / xx));
  }

  /** That in the mean, in percent; 0 where there was nothing. */
  double percent(double value) {
    return mean == 0 ? 0 : 100 * value / mean;
  }
}
