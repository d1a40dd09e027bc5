package dev.gatehouse.gateway.console.overview;

import java.util.List;
import java.util.Locale;

/** A small drawn line without axes, in a box of 120 by 24: the points of a polyline. */
final class SparkLine {

  private static final double WIDTH = 120;
  private static final double HEIGHT = 24;

  private SparkLine() {}

  /** @param values from left to right; the largest is at the upper edge, and zero at the lower one */
  static String of(List<Double> values) {
    double top = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      double x = WIDTH * i / Math.max(1, values.size() - 1);
      double y = top == 0 ? HEIGHT : HEIGHT - HEIGHT * values.get(i) / top;
      points.append(String.format(Locale.ROOT, points.isEmpty() ? "%.1f,%.1f" : " %.1f,%.1f", x, y));
    }
    return points.toString();
  }
}
