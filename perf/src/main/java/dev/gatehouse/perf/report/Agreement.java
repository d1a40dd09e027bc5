package dev.gatehouse.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a figure that was measured again agrees with its record: its median lies within the recorded spread, widened by a tolerance at
 * both ends.
 *
 * @param now the new median; none if it was not measured
 */
public record Agreement(String figure, String unit, Series recorded, Optional<Double> now, double tolerance) {

  /** All figures of a record, compared with a new one of the same row. */
  public static List<Agreement> of(RowRecord recorded, RowRecord now, double tolerance) {
    List<Agreement> all = new ArrayList<>();
    for (Figure each : recorded.figures()) {
      Optional<Double> again = now.figure(each.id()).map(Figure::median);
      all.add(new Agreement(each.id(), each.unit(), each.series(), again, tolerance));
    }
    return all;
  }

  public double least() {
    return recorded.lowest() - tolerance * Math.abs(recorded.lowest());
  }

  public double most() {
    return recorded.highest() + tolerance * Math.abs(recorded.highest());
  }

  public boolean agrees() {
    return now.isPresent() && now.get() >= least() && now.get() <= most();
  }
}
