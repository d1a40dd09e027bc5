package dev.gatehouse.perf.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares two builds on the same work in alternating rounds, by the ratio of each pair of rounds, so that a drift of
 * the machine cancels out.
 */
public final class Comparison {

  /** The lowest acceptable ratio, a loss of 3 %. */
  private static final double LEAST = 0.97;

  private final String ours;
  private final Map<String, Rounds> works = new LinkedHashMap<>();

  private record Rounds(List<Double> ours, List<Double> other) {}

  /** @param ours name of the build under test; rounds with any other name belong to the other build */
  public Comparison(String ours) {
    this.ours = ours;
  }

  /**
   * Adds a round.
   *
   * @param perCpuSecond operations per CPU second of the server's process
   */
  public void add(String work, String build, double perCpuSecond) {
    Rounds rounds = works.computeIfAbsent(work, w -> new Rounds(new ArrayList<>(), new ArrayList<>()));
    (build.equals(ours) ? rounds.ours() : rounds.other()).add(perCpuSecond);
  }

  /**
   * Writes {@code name.md} into the folder and returns it.
   *
   * @param command the command that repeats the measurement
   */
  public String write(Path folder, String name, String command) throws IOException, InterruptedException {
    StringBuilder md = new StringBuilder("# ").append(name).append("\n\n`").append(command).append("`, commit ");
    md.append(Report.commitHere()).append(", JDK ").append(Machine.here().java()).append(".\n\n");
    md.append("Operations in a CPU second of the server's process, medians; the ratio is taken pair by pair of alternating rounds.\n");
    md.append("A row whose median ratio is below ").append(LEAST).append(" has lost more than 3 %.\n\n");
    md.append("| work | rounds | this build | the other | ratio | lowest to highest |\n|---|---|---|---|---|---|\n");
    works.forEach((work, rounds) -> md.append(row(work, rounds)));
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(name + ".md"), md);
    return md.toString();
  }

  private static String row(String work, Rounds rounds) {
    int pairs = Math.min(rounds.ours().size(), rounds.other().size());
    if (pairs == 0) {
      return "| " + work + " | 0 | | | | |\n";
    }
    double[] ratios = new double[pairs];
    for (int i = 0; i < pairs; i++) {
      ratios[i] = rounds.ours().get(i) / rounds.other().get(i);
    }
    Arrays.sort(ratios);
    double median = median(ratios);
    return String.format(
        Locale.ROOT,
        "| %s | %d | %,.0f | %,.0f | %s | %.3f to %.3f |%n",
        work,
        pairs,
        median(sorted(rounds.ours())),
        median(sorted(rounds.other())),
        median < LEAST ? String.format(Locale.ROOT, "**%.3f**", median) : String.format(Locale.ROOT, "%.3f", median),
        ratios[0],
        ratios[pairs - 1]);
  }

  private static double[] sorted(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
