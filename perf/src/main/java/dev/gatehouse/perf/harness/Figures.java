package dev.gatehouse.perf.harness;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The figures of one row at one server, from its measured iterations. */
public record Figures(List<Iteration> rounds) {

  /** The columns of {@link #pacedRow} behind the name. */
  public static final String PACED = "per second | p50 ms | p95 ms | p99 ms | p99.9 ms | not begun in time";

  public static Figures of(Collection<Iteration> iterations, String server, String row) {
    return new Figures(
        iterations.stream()
            .filter(each -> each.isMeasured() && each.server().equals(server) && each.row().equals(row))
            .toList());
  }

  public boolean isEmpty() {
    return operations() == 0;
  }

  /** Whether they had a constant rate. */
  boolean isPaced() {
    return rounds.stream().anyMatch(Iteration::paced);
  }

  private long operations() {
    return rounds.stream().mapToLong(Iteration::operations).sum();
  }

  public double perCpuSecond() {
    return operations() / sum(Iteration::ownCpuSeconds);
  }

  /** Includes the directory and the database. */
  public double perCpuSecondOfAll() {
    return operations() / sum(Iteration::allCpuSeconds);
  }

  public double perCpuSecondOf(String process) {
    return operations() / sum(each -> each.cpuSeconds(process));
  }

  public double cpuMillis() {
    return 1000 / perCpuSecond();
  }

  public double perSecond() {
    return rounds.stream().mapToDouble(Iteration::perSecond).average().orElse(0);
  }

  private double sum(ToDoubleFunction<Iteration> value) {
    return rounds.stream().mapToDouble(value).sum();
  }

  private static double median(double[] sorted) {
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }

  /** The median of the rounds. */
  private double last(ToDoubleFunction<Iteration.Step> time) {
    return median(rounds.stream().mapToDouble(each -> time.applyAsDouble(each.steps().getLast())).sorted().toArray());
  }

  /** The 99th percentile of the last step in means, see {@link Iteration.Step#tail}. */
  double tail() {
    return last(Iteration.Step::tail);
  }

  /** The time in milliseconds within which 99.9 % of the last step were answered; empty if it is not known. */
  String p999() {
    double time = last(Iteration.Step::p999Ms);
    return time > 0 ? Markdown.format("%.2f", time) : "";
  }

  /** Adds a row of times in a closed loop, if there are any. */
  void tailRow(Markdown table, String name) {
    if (!isEmpty()) {
      table.row(
          "%s | %,.0f | %.2f | %.2f | %.2f | %s | %.1f", name, perSecond(), last(Iteration.Step::meanMs), last(Iteration.Step::p50Ms),
          last(Iteration.Step::p99Ms), p999(), tail());
    }
  }

  /** Adds a row of a closed loop, with the mark of one whose callers starve. */
  public void closedRow(Markdown table, String name, double most) {
    if (!isEmpty()) {
      table.row(
          "%s | %,.0f | %.2f | %.2f | %.2f | %s | %s", name, perSecond(), last(Iteration.Step::meanMs), last(Iteration.Step::p50Ms),
          last(Iteration.Step::p99Ms), p999(), Markdown.format(tail() > most ? "**%.1f**" : "%.1f", tail()));
    }
  }

  /** Adds a row of a constant rate. */
  public void pacedRow(Markdown table, String name) {
    if (!isEmpty()) {
      long late = rounds.stream().mapToLong(Iteration::failures).sum();
      table.row(
          "%s | %,.0f | %.2f | %.2f | %.2f | %s | %,d", name, perSecond(), last(Iteration.Step::p50Ms), last(Iteration.Step::p95Ms),
          last(Iteration.Step::p99Ms), p999(), late);
    }
  }

  /**
   * A table with a line for each row that was measured.
   *
   * @param first the name of the first column
   */
  public static String table(String first, Map<String, Figures> rows) {
    Markdown table =
        Markdown.table(
            first + " | per CPU second | from .. to by round | CPU ms each | with its backends, per CPU second | per second"
                + " | p50 ms | p99 ms | p99.9 ms | mean ms | p99 in means");
    rows.forEach(
        (name, figures) -> {
          if (!figures.isEmpty()) {
            double[] spread = figures.rounds().stream().mapToDouble(Iteration::perCpuSecond).sorted().toArray();
            table.row(
                "%s | %,.0f | %,.0f .. %,.0f | %.4f | %,.0f | %,.0f | %.2f | %.2f | %s | %.2f | %.1f",
                name, figures.perCpuSecond(), spread[0], spread[spread.length - 1], figures.cpuMillis(),
                figures.perCpuSecondOfAll(), figures.perSecond(), figures.last(Iteration.Step::p50Ms),
                figures.last(Iteration.Step::p99Ms), figures.p999(), figures.last(Iteration.Step::meanMs), figures.tail());
          }
        });
    return table.toString();
  }
}
