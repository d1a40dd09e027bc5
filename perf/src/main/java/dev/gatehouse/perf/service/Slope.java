package dev.gatehouse.perf.service;

import java.util.List;

/**
 * A line through samples, by least squares.
 *
 * @param what heap, resident, files, threads or disk, of all nodes together
 * @param mean of the samples
 * @param percentAnHour by how much of the mean it grows in an hour
 * @param error the standard error of that
 */
record Slope(String what, double mean, double percentAnHour, double error) {

  /** Two points are always on a line. */
  static final int FEWEST = 3;

  /** @param values one a minute; at least three, the mean of which is not 0 */
  static Slope of(String what, List<Double> values) {
    int n = values.size();
    double mean = values.stream().mapToDouble(each -> each).average().orElse(0);
    if (n < FEWEST || mean == 0) {
      throw new IllegalArgumentException("no line through " + values);
    }
    double middle = (n - 1) / 2.0;
    double xx = 0;
    double xy = 0;
    for (int i = 0; i < n; i++) {
      xx += (i - middle) * (i - middle);
      xy += (i - middle) * (values.get(i) - mean);
    }
    double slope = xy / xx;
    double residuals = 0;
    for (int i = 0; i < n; i++) {
      double rest = values.get(i) - mean - slope * (i - middle);
      residuals += rest * rest;
    }
    double anHour = 60 * 100 / mean;
    return new Slope(what, mean, slope * anHour, Math.sqrt(residuals / (n - 2) / xx) * anHour);
  }

  /** Whether it grows, beyond what chance explains. */
  boolean grows() {
    return percentAnHour > 2 * error;
  }
}
