package dev.gatehouse.perf.report;

import java.util.List;
import java.util.OptionalDouble;

/**
 * A power law through points, by least squares of the logarithms: {@code y = factor * x^exponent}.
 *
 * @param error the standard error of the exponent; none of two points, which a line always meets
 * @param points the number of points
 */
public record Fit(double factor, double exponent, OptionalDouble error, int points) {

  /** A point; both coordinates are greater than 0. */
  public record Point(double x, double y) {}

  /** @throws IllegalArgumentException for fewer than two different x, or coordinates that have no logarithm */
  public static Fit of(List<Point> points) {
    if (points.stream().anyMatch(each -> !(each.x() > 0 && each.y() > 0)) || points.stream().map(Point::x).distinct().count() < 2) {
      throw new IllegalArgumentException("no power law goes through " + points);
    }
    int n = points.size();
    double meanX = points.stream().mapToDouble(each -> Math.log(each.x())).average().orElseThrow();
    double meanY = points.stream().mapToDouble(each -> Math.log(each.y())).average().orElseThrow();
    double xx = points.stream().mapToDouble(each -> square(Math.log(each.x()) - meanX)).sum();
    double xy = points.stream().mapToDouble(each -> (Math.log(each.x()) - meanX) * (Math.log(each.y()) - meanY)).sum();
    double exponent = xy / xx;
    double residuals =
        points.stream().mapToDouble(each -> square(Math.log(each.y()) - meanY - exponent * (Math.log(each.x()) - meanX))).sum();
    OptionalDouble error = n > 2 ? OptionalDouble.of(Math.sqrt(residuals / (n - 2) / xx)) : OptionalDouble.empty();
    return new Fit(Math.exp(meanY - exponent * meanX), exponent, error, n);
  }

  private static double square(double value) {
    return value * value;
  }

  public double at(double x) {
    return factor * Math.pow(x, exponent);
  }
}
