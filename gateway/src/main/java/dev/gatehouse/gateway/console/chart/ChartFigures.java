package dev.gatehouse.gateway.console.chart;

import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.gateway.admin.analytics.AnalyticsView;
import dev.gatehouse.gateway.admin.analytics.AnalyticsView.Figures;
import dev.gatehouse.gateway.admin.analytics.AnalyticsView.LineView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/** Formats figures for people: durations in milliseconds, ratios in per cent. */
public final class ChartFigures {

  private static final String NOTHING = "–";

  /** A row of the table of lines. */
  public record Row(int number, String label, String count, String middle, String p95, String p99) {}

  /** A row of the table of periods, with a cell for each line. */
  public record Period(Instant at, List<String> cells) {}

  private final Series.Kind kind;
  private final Locale locale;

  /** @param language as {@code de} */
  public ChartFigures(Series.Kind kind, String language) {
    this.kind = kind;
    this.locale = Locale.of(language);
  }

  /** Returns by what values are multiplied in charts. */
  public int factor() {
    return switch (kind) {
      case COUNT, LEVEL -> 1;
      case DURATION -> 1000;
      case RATIO -> 100;
    };
  }

  public List<Row> lines(AnalyticsView view) {
    List<Row> rows = new ArrayList<>();
    for (LineView line : view.lines()) {
      Figures all = line.all();
      String count = all.count().map(Object::toString).orElse(NOTHING);
      Optional<Double> middle =
          switch (kind) {
            case COUNT -> Optional.empty();
            case DURATION -> all.p50();
            case LEVEL -> all.mean();
            case RATIO -> all.ratio();
          };
      Optional<Double> high = kind == Series.Kind.LEVEL ? all.peak() : all.p95();
      rows.add(new Row(rows.size(), line.label(), count, text(middle), text(high), text(all.p99())));
    }
    return rows;
  }

  /** Returns the periods in which something happened, the newest first. */
  public List<Period> periods(AnalyticsView view) {
    TreeMap<Instant, List<String>> periods = new TreeMap<>(Collections.reverseOrder());
    for (int i = 0; i < view.lines().size(); i++) {
      for (AnalyticsView.PointView point : view.lines().get(i).points()) {
        periods
            .computeIfAbsent(point.at(), at -> new ArrayList<>(Collections.nCopies(view.lines().size(), NOTHING)))
            .set(i, text(Optional.of(point.figures().shown())));
      }
    }
    List<Period> rows = new ArrayList<>();
    periods.forEach((at, cells) -> rows.add(new Period(at, cells)));
    return rows;
  }

  /** Returns the value as people read it, with its unit. */
  public String text(Optional<Double> value) {
    return value
        .map(
            number ->
                switch (kind) {
                  case COUNT -> String.valueOf(Math.round(number));
                  case LEVEL -> String.format(locale, "%.0f", number);
                  case DURATION -> String.format(locale, "%.1f ms", number * factor());
                  case RATIO -> String.format(locale, "%.1f %%", number * factor());
                })
        .orElse(NOTHING);
  }
}
