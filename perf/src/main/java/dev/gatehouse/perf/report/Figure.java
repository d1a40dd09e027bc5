package dev.gatehouse.perf.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A measured figure of a row.
 *
 * @param id of a line of FIGURES, or of a point of a curve
 * @param rounds all values, from which the spread is computed
 * @param median written beside them for readers of the JSON
 * @param more what the same rounds say besides: per second, percentiles, steps
 * @param beside peers and physical limits of the same run, in the same unit
 */
public record Figure(
    String id, String unit, List<Double> rounds, double median, Map<String, Double> more, List<Beside> beside) {

  public static Figure of(String id, String unit, Seen seen, List<Beside> beside) {
    return new Figure(id, unit, seen.series().rounds(), seen.series().median(), seen.more(), beside);
  }

  public Series series() {
    return Series.of(rounds);
  }

  public Optional<Beside> beside(Beside.Kind kind) {
    return beside.stream().filter(each -> each.kind() == kind).findFirst();
  }

  /** All of that kind. */
  public List<Beside> allBeside(Beside.Kind kind) {
    return beside.stream().filter(each -> each.kind() == kind).toList();
  }

  /** What a run says of a figure. */
  public record Seen(Series series, Map<String, Double> more) {

    public static Seen of(Series series) {
      return new Seen(series, Map.of());
    }
  }

  /** What was measured beside it. */
  public record Beside(Kind kind, String name, List<Double> rounds, double median) {

    /** What it is compared with. */
    public enum Kind {
      /** Another product. */
      PEER,
      /** The one step that nothing can do without: a signature, a bind, a packet. */
      LIMIT
    }

    public static Beside of(Kind kind, String name, Series series) {
      return new Beside(kind, name, series.rounds(), series.median());
    }
  }
}
