package dev.gatehouse.perf.report;

import dev.gatehouse.perf.report.Figure.Beside;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The record of one row that was run.
 *
 * @param format of this record
 * @param quick whether it ran with the options of {@code --quick}
 * @param command the command line that repeats the row, environment included
 * @param state what became of it
 * @param reason why it failed; empty if it did not
 * @param complaints what the benchmark itself calls failed: an aim that was missed, a request without an answer
 * @param missing figures that the run does not have, each with the reason
 */
public record RowRecord(
    int format,
    String row,
    boolean quick,
    String command,
    Circumstances circumstances,
    State state,
    String reason,
    List<String> complaints,
    List<Figure> figures,
    Map<String, String> missing) {

  public static final int FORMAT = 1;

  /** What became of a row. */
  public enum State {
    /** All figures are there. */
    MEASURED,
    /** Some are. */
    PARTLY,
    /** None is. */
    FAILED
  }

  public Optional<Figure> figure(String id) {
    return figures.stream().filter(each -> each.id().equals(id)).findFirst();
  }

  public boolean complete() {
    return state == State.MEASURED;
  }

  /** The first peer or limit that was measured beside a figure. */
  public Optional<Beside> beside(String figure, Beside.Kind kind) {
    return figure(figure).flatMap(each -> each.beside(kind));
  }
}
