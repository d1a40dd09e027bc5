package dev.gatehouse.perf.report;

import dev.gatehouse.perf.report.Figure.Beside;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * A line of the report: what was published, what was measured here, and what stands beside it.
 *
 * @param row the name of the row that measures it; empty if none does
 */
record Entry(Line line, String row, Optional<RowRecord> seen) {

  static final List<String> HEADER =
      List.of("what", "published", "ours", "lowest .. highest (rounds)", "a second here", "p50 / p99 ms", "peer", "limit", "row");

  private static final String PER_SECOND = "per second";
  private static final String MEAN = ", mean ms";

  Optional<Figure> figure() {
    return seen.flatMap(each -> each.figure(line.id()));
  }

  boolean disturbed() {
    return figure().isPresent() && seen.map(each -> each.circumstances().busy().disturbed()).orElse(false);
  }

  boolean measured() {
    return figure().isPresent();
  }

  /** The published figure for one of the CPUs that had it. */
  OptionalDouble publishedPerCpu() {
    return line.number().isPresent() && line.cpus() > 0
        ? OptionalDouble.of(line.number().getAsDouble() / line.cpus())
        : OptionalDouble.empty();
  }

  /** The cells below {@link #HEADER}. */
  List<String> cells() {
    return List.of(line.what(), published(), ours(), spread(), perSecond(), times(), peer(), limit(), marks());
  }

  private String published() {
    OptionalDouble each = publishedPerCpu();
    return each.isEmpty() ? line.published() : line.published() + "; " + Numbers.of(each.getAsDouble()) + line.unit() + " a CPU";
  }

  /** The measured figure, or why there is none. */
  String ours() {
    if (figure().isPresent()) {
      String allocated = Optional.ofNullable(more().get("bytes allocated")).map(each -> ", " + Numbers.of(each) + " bytes allocated").orElse("");
      return Numbers.of(figure().get().median()) + " " + figure().get().unit() + allocated;
    }
    if (!line.reason().isEmpty()) {
      return "no row: " + line.reason();
    }
    if (seen.isEmpty()) {
      return "not measured";
    }
    if (seen.get().state() == RowRecord.State.FAILED) {
      return "not measured: the row failed, see below";
    }
    String why = seen.get().missing().getOrDefault(line.id(), "");
    return why.isEmpty() ? "not measured" : "not measured: " + why;
  }

  private String spread() {
    return figure()
        .map(Figure::series)
        .map(each -> Numbers.of(each.lowest()) + " .. " + Numbers.of(each.highest()) + " (" + each.rounds().size() + ")")
        .orElse("");
  }

  private Map<String, Double> more() {
    return figure().map(Figure::more).orElse(Map.of());
  }

  private String perSecond() {
    return Optional.ofNullable(more().get(PER_SECOND)).map(Numbers::of).orElse("");
  }

  /** Percentiles of the only step, or the mean of each step, as the reports of S1 have them. */
  private String times() {
    Map<String, Double> more = more();
    Optional<Double> median = Optional.ofNullable(more.get("p50 ms"));
    Optional<Double> most = Optional.ofNullable(more.get("p99 ms"));
    if (median.isPresent() && most.isPresent()) {
      return Numbers.of(median.get()) + " / " + Numbers.of(most.get()) + others(more);
    }
    List<String> means = new ArrayList<>();
    more.forEach(
        (name, value) -> {
          if (name.endsWith(MEAN)) {
            means.add(Numbers.of(value));
          }
        });
    return means.isEmpty() ? "" : String.join(" / ", means) + " (means of steps)";
  }

  /** Percentiles that not every kind of load knows. */
  private static String others(Map<String, Double> more) {
    List<String> words = new ArrayList<>();
    for (String each : List.of("p95", "p99.9")) {
      Optional.ofNullable(more.get(each + " ms")).ifPresent(value -> words.add(each + " " + Numbers.of(value)));
    }
    return words.isEmpty() ? "" : " (" + String.join(", ", words) + ")";
  }

  private String peer() {
    return all(Beside.Kind.PEER).stream()
        .map(each -> each.name() + " " + Numbers.of(each.median()) + "; ours " + Numbers.of(ratio(each)) + " x")
        .collect(Collectors.joining("; "));
  }

  private String limit() {
    return all(Beside.Kind.LIMIT).stream()
        .map(each -> each.name() + " " + Numbers.of(each.median()) + "; ours " + Numbers.percent(ratio(each)))
        .collect(Collectors.joining("; "));
  }

  private List<Beside> all(Beside.Kind kind) {
    return figure().map(each -> each.allBeside(kind)).orElse(List.of());
  }

  double ratio(Beside beside) {
    return figure().map(each -> each.median() / beside.median()).orElse(Double.NaN);
  }

  /** The row, and what a reader has to know of its run. */
  String marks() {
    List<String> marks = new ArrayList<>();
    if (!row.isEmpty()) {
      marks.add(row);
    }
    if (measured()) {
      RowRecord each = seen.orElseThrow();
      if (each.quick()) {
        marks.add("quick");
      }
      if (disturbed()) {
        marks.add("BUSY");
      }
      Optional.ofNullable(more().get("failed requests")).ifPresent(failed -> marks.add(Numbers.size(failed) + " requests failed"));
    }
    return String.join(", ", marks);
  }
}
