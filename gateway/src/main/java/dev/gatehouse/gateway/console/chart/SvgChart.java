package dev.gatehouse.gateway.console.chart;

import dev.gatehouse.common.analytics.Resolution;
import dev.gatehouse.gateway.admin.analytics.AnalyticsView;
import dev.gatehouse.gateway.admin.analytics.AnalyticsView.LineView;
import dev.gatehouse.gateway.admin.analytics.AnalyticsView.PointView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A drawn chart, for browsers without script: each line is the points of a polyline in a box of 600 by 200.
 *
 * @param top the value at the upper edge
 */
public record SvgChart(List<Drawn> lines, double top) {

  private static final double WIDTH = 600;
  private static final double HEIGHT = 200;

  /** A line; its number chooses colour and dashes. */
  public record Drawn(int number, String label, String points) {}

  public static SvgChart of(AnalyticsView view) {
    double top =
        view.lines().stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(point -> point.figures().shown())
            .max()
            .orElse(0);
    List<Drawn> drawn = new ArrayList<>();
    for (LineView line : view.lines()) {
      drawn.add(new Drawn(drawn.size(), line.label(), points(view, line, top)));
    }
    return new SvgChart(List.copyOf(drawn), top);
  }

  /** Periods in which nothing happened are at zero. */
  private static String points(AnalyticsView view, LineView line, double top) {
    Map<Instant, PointView> known = new HashMap<>();
    line.points().forEach(point -> known.put(point.at(), point));
    double seconds = Math.max(1, Duration.between(view.from(), view.to()).toSeconds());
    StringBuilder points = new StringBuilder();
    for (Instant at : Resolution.of(view.resolution()).orElse(Resolution.MINUTE).periods(view.from(), view.to())) {
      PointView point = known.get(at);
      double value = point == null ? 0 : point.figures().shown();
      double x = WIDTH * Duration.between(view.from(), at).toSeconds() / seconds;
      double y = top == 0 ? HEIGHT : HEIGHT - HEIGHT * value / top;
      points.append(String.format(Locale.ROOT, points.isEmpty() ? "%.1f,%.1f" : " %.1f,%.1f", x, y));
    }
    return points.toString();
  }
}
