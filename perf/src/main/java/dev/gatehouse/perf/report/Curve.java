package dev.gatehouse.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A scaling curve: one figure over a size.
 *
 * @param extrapolated sizes at which nothing is measured, and which the chart marks as extrapolated
 */
public record Curve(String id, String title, String xName, String yName, List<Place> places, List<Double> extrapolated) {

  /** A measured figure belongs to a curve from two points on; more tell whether the law holds. */
  private static final int LEAST = 2;

  /**
   * A point that a row measures.
   *
   * @param figure its id
   * @param more the name of what the figure says besides; empty for the figure itself
   * @param times the value's factor
   */
  public record Place(double x, String row, String figure, String more, double times) {
    public static Place of(double x, String row, String figure) {
      return new Place(x, row, figure, "", 1);
    }
  }

  /**
   * A measured point with its spread.
   *
   * @param from the record that has it
   */
  public record Seen(double x, double y, double lowest, double highest, RowRecord from) {
    public boolean disturbed() {
      return from.circumstances().busy().disturbed();
    }

    public boolean quick() {
      return from.quick();
    }
  }

  /** The points that were measured. */
  public List<Seen> seen(Map<String, RowRecord> records) {
    List<Seen> seen = new ArrayList<>();
    for (Place each : places) {
      RowRecord from = records.get(each.row());
      Optional<Figure> figure = from == null ? Optional.empty() : from.figure(each.figure());
      if (from == null || figure.isEmpty()) {
        continue;
      }
      if (each.more().isEmpty()) {
        Series series = figure.get().series();
        seen.add(
            new Seen(each.x(), each.times() * series.median(), each.times() * series.lowest(), each.times() * series.highest(), from));
      } else {
        Optional.ofNullable(figure.get().more().get(each.more()))
            .map(value -> each.times() * value)
            .ifPresent(y -> seen.add(new Seen(each.x(), y, y, y, from)));
      }
    }
    return seen;
  }

  /** The power law through the measured points, if there are enough. */
  public Optional<Fit> fit(Map<String, RowRecord> records) {
    List<Fit.Point> points =
        seen(records).stream().filter(each -> each.y() > 0).map(each -> new Fit.Point(each.x(), each.y())).toList();
    return points.stream().map(Fit.Point::x).distinct().count() < LEAST ? Optional.empty() : Optional.of(Fit.of(points));
  }
}
