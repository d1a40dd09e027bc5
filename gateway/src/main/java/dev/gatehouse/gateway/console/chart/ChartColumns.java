package dev.gatehouse.gateway.console.chart;

import dev.gatehouse.common.analytics.Resolution;
import dev.gatehouse.gateway.admin.analytics.AnalyticsView;
import dev.gatehouse.gateway.admin.analytics.AnalyticsView.LineView;
import dev.gatehouse.gateway.admin.analytics.AnalyticsView.PointView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Figures for the chart that a script draws, as JSON.
 *
 * @param rows the times of the periods in seconds, and the values of each line at these times
 * @param labels of the lines; that of a total is empty
 */
public record ChartColumns(String rows, String labels) {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /**
   * @param hasGaps whether nothing is shown for a period in which nothing happened; otherwise it is zero
   * @param factor by what values are multiplied
   */
  public static ChartColumns of(AnalyticsView view, boolean hasGaps, int factor) {
    List<Instant> periods = Resolution.of(view.resolution()).orElse(Resolution.MINUTE).periods(view.from(), view.to());
    List<List<? extends @Nullable Number>> columns = new ArrayList<>();
    columns.add(periods.stream().map(Instant::getEpochSecond).toList());
    for (LineView line : view.lines()) {
      Map<Instant, Double> known = new HashMap<>();
      for (PointView point : line.points()) {
        known.put(point.at(), point.figures().shown() * factor);
      }
      List<@Nullable Number> column = new ArrayList<>();
      periods.forEach(at -> column.add(known.getOrDefault(at, hasGaps ? null : Double.valueOf(0))));
      columns.add(column);
    }
    return new ChartColumns(JSON.writeValueAsString(columns), JSON.writeValueAsString(view.lines().stream().map(LineView::label).toList()));
  }
}
