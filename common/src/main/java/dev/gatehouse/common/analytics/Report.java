package dev.gatehouse.common.analytics;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The answer to a question: one line for each label, the largest first, and the others added up.
 *
 * @param lines one with an empty label, if the series is not divided; none if nothing happened
 */
public record Report(List<Line> lines) {

  /**
   * A line.
   *
   * @param all of the whole range
   * @param points only of periods in which something happened
   */
  public record Line(String label, Statistics all, List<Point> points) {}

  /** A period. */
  public record Point(Instant at, Statistics statistics) {}

  /** The amounts of a line, of all nodes together: by the begin of the period, and by the label. */
  private static final class Amounts {
    private final TreeMap<Instant, Map<String, Amount>> periods = new TreeMap<>();
    private final Map<String, Amount> labels = new HashMap<>();

    void add(RollupStore.Row row) {
      periods.computeIfAbsent(row.at(), at -> new HashMap<>()).merge(row.label(), row.amount(), Amount::plus);
      labels.merge(row.label(), row.amount(), Amount::plus);
    }

    double size() {
      return labels.values().stream().mapToDouble(amount -> Math.max(amount.samples(), amount.total())).sum();
    }

    Line line(Series.Kind kind, String label) {
      List<Point> points = new ArrayList<>();
      periods.forEach((at, amounts) -> points.add(new Point(at, Statistics.of(kind, amounts.values()))));
      return new Line(label, Statistics.of(kind, labels.values()), points);
    }
  }

  /** @param most labels that have lines of their own */
  public static Report of(Series.Kind kind, List<RollupStore.Row> rows, int most) {
    Map<String, Amounts> labels = new HashMap<>();
    rows.forEach(row -> labels.computeIfAbsent(row.label(), label -> new Amounts()).add(row));
    List<String> largestFirst =
        labels.entrySet().stream()
            .filter(entry -> !entry.getKey().equals(SeriesKey.OTHER))
            .sorted(
                Comparator.comparingDouble((Map.Entry<String, Amounts> entry) -> entry.getValue().size())
                    .reversed()
                    .thenComparing(Map.Entry::getKey))
            .map(Map.Entry::getKey)
            .limit(most)
            .toList();
    List<Line> lines = new ArrayList<>();
    largestFirst.forEach(label -> lines.add(labels.getOrDefault(label, new Amounts()).line(kind, label)));
    Amounts others = new Amounts();
    rows.stream().filter(row -> !largestFirst.contains(row.label())).forEach(others::add);
    if (!others.periods.isEmpty()) {
      lines.add(others.line(kind, SeriesKey.OTHER));
    }
    return new Report(List.copyOf(lines));
  }

  /**
   * Returns one line with an empty label, the sum of all labels. Levels have no rows of their total: nodes of different roles see different
   * labels, and none of them the total.
   */
  public static Report total(Series.Kind kind, List<RollupStore.Row> rows) {
    Amounts all = new Amounts();
    rows.forEach(all::add);
    return new Report(rows.isEmpty() ? List.of() : List.of(all.line(kind, "")));
  }
}
