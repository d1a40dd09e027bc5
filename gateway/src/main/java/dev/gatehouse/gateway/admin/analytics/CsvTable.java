package dev.gatehouse.gateway.admin.analytics;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Formats figures as CSV (RFC 4180), for spreadsheets too: no cell of text is taken for a formula. */
final class CsvTable {

  private static final String LINE = "\r\n";
  private static final String BEGINS_FORMULA = "=+-@\t\r\n＝＋－＠";

  private CsvTable() {}

  /** Returns a line for each period of each line. */
  static String of(AnalyticsView view) {
    StringBuilder csv = new StringBuilder("at,label,count,mean,peak,ratio,p50,p90,p95,p99").append(LINE);
    for (AnalyticsView.LineView line : view.lines()) {
      for (AnalyticsView.PointView point : line.points()) {
        AnalyticsView.Figures figures = point.figures();
        List<Optional<? extends Number>> numbers =
            List.of(
                figures.count(), figures.mean(), figures.peak(), figures.ratio(), figures.p50(), figures.p90(), figures.p95(),
                figures.p99());
        csv.append(point.at()).append(',').append(text(line.label())).append(',');
        csv.append(numbers.stream().map(CsvTable::number).collect(Collectors.joining(","))).append(LINE);
      }
    }
    return csv.toString();
  }

  private static String number(Optional<? extends Number> number) {
    return number.map(value -> value instanceof Long count ? count.toString() : decimal(value.doubleValue())).orElse("");
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }

  /** Returns a cell of text. An apostrophe in front makes spreadsheets show a formula instead of computing it. */
  static String text(String value) {
    boolean isFormula = !value.isEmpty() && BEGINS_FORMULA.indexOf(value.charAt(0)) >= 0;
    String shown = isFormula ? "'" + value : value;
    boolean isPlain = shown.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
    return isPlain ? shown : '"' + shown.replace("\"", "\"\"") + '"';
  }
}
