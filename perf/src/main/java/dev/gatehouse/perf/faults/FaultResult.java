package dev.gatehouse.perf.faults;

import java.time.Instant;
import java.util.List;

/**
 * The result of one case, as {@code faults.json} contains it, with figures as text.
 *
 * @param commit of the code that was measured
 * @param kept whether every bound was met
 * @param failure why the case could not be carried out; empty if it was
 */
record FaultResult(
    String name, String description, String commit, String measuredAt, List<Line> figures, boolean kept, String failure) {

  /** One figure. */
  record Line(String what, String measured, String bound, boolean kept) {}

  static FaultResult of(FaultCase fault, String commit, Instant measuredAt, List<Figure> figures, String failure) {
    List<Line> lines =
        figures.stream().map(each -> new Line(each.what(), each.measuredText(), each.boundText(), each.kept())).toList();
    boolean kept = failure.isEmpty() && figures.stream().allMatch(Figure::kept);
    return new FaultResult(fault.name(), fault.description(), commit, measuredAt.toString(), lines, kept, failure);
  }
}
