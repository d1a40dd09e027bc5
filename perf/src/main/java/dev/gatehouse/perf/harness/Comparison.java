package dev.gatehouse.perf.harness;

import static dev.gatehouse.perf.harness.Markdown.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Compares two builds on the same rows in alternating rounds, by the ratio of each pair of rounds, so that a drift of the
 * machine cancels out.
 *
 * @param ours name of the build under test
 * @param other name of the other build
 */
public record Comparison(String ours, String other) {

  /** The lowest acceptable ratio, a loss of 3 %. */
  private static final double LEAST = 0.97;

  /**
   * Writes {@code name.md} into the folder and returns it.
   *
   * @param command the command that repeats the measurement
   */
  public String write(List<Iteration> iterations, Path folder, String name, String command)
      throws IOException, InterruptedException {
    Markdown table = Markdown.table("row | rounds | this build | the other | ratio | lowest to highest");
    for (String row : rows(iterations)) {
      append(table, row, rates(iterations, ours, row), rates(iterations, other, row));
    }
    String md =
        "# " + name + "\n\n`" + command + "`, commit " + Report.commitHere() + ", JDK " + Machine.here().java() + ".\n\n"
            + "Operations per CPU second of Gatehouse's processes, medians; the ratio is taken pair by pair of alternating rounds.\n"
            + "A row whose median ratio is below " + LEAST + " has lost more than 3 %.\n" + table + times(iterations);
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(name + ".md"), md);
    return md;
  }

  private static List<String> rows(List<Iteration> iterations) {
    return iterations.stream().filter(Iteration::isMeasured).map(Iteration::row).distinct().toList();
  }

  /**
   * How long some wait beside the others, in both builds. At a constant rate the mean is no measure of that, and what was not begun in time
   * is one.
   */
  private String times(List<Iteration> iterations) {
    Markdown closed = Markdown.table("row | build | per second | mean ms | p50 ms | p99 ms | p99.9 ms | p99 in means");
    Markdown paced = Markdown.table("row | build | " + Figures.PACED);
    for (String row : rows(iterations)) {
      for (String server : List.of(ours, other)) {
        Figures figures = Figures.of(iterations, server, row);
        if (figures.isPaced()) {
          figures.pacedRow(paced, row + " | " + server);
        } else {
          figures.tailRow(closed, row + " | " + server);
        }
      }
    }
    String inTurn =
        "\nTimes of the last step, medians of the rounds. The mean of a closed loop is what each caller waits where all are served in"
            + " turn.\n";
    String fromWhenDue =
        "\nTimes at a constant rate, medians of the rounds: they count from the moment at which an operation was due. What was not begun in"
            + " time is counted over all rounds.\n";
    return (closed.isEmpty() ? "" : inTurn + closed) + (paced.isEmpty() ? "" : fromWhenDue + paced);
  }

  /** Operations per CPU second, by round, of all processes whose names are those of the server's. */
  private static double[] rates(List<Iteration> iterations, String server, String row) {
    return Figures.of(iterations, server, row).rounds().stream().mapToDouble(Comparison::perCpuSecond).toArray();
  }

  private static double perCpuSecond(Iteration iteration) {
    return iteration.operations() / (iteration.ownCpuSeconds() + iteration.cpuSeconds("sp"));
  }

  private static void append(Markdown table, String row, double[] ours, double[] other) {
    int pairs = Math.min(ours.length, other.length);
    if (pairs == 0) {
      if (ours.length + other.length > 0) {
        table.row("%s | 0 | | | |", row);
      }
      return;
    }
    double[] ratios = new double[pairs];
    Arrays.setAll(ratios, i -> ours[i] / other[i]);
    double ratio = median(ratios);
    table.row(
        "%s | %d | %,.0f | %,.0f | %s | %.3f to %.3f",
        row, pairs, median(ours), median(other), format(ratio < LEAST ? "**%.3f**" : "%.3f", ratio), ratios[0],
        ratios[pairs - 1]);
  }

  /** Sorts the values. */
  private static double median(double[] values) {
    Arrays.sort(values);
    int middle = values.length / 2;
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }
}
