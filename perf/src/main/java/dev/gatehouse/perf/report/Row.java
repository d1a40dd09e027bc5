package dev.gatehouse.perf.report;

import dev.gatehouse.perf.report.Figure.Beside;
import java.util.List;
import java.util.Map;

/**
 * A row of the plan: one run of a benchmark, and the figures that are taken from it.
 *
 * @param id on the command line and of its record
 * @param results the name of the JSON file that the benchmark writes, without ending
 * @param full the options of the long run
 * @param quick the options of {@code --quick}; none if it leaves the row out
 * @param environment of the benchmark and its servers
 */
public record Row(
    String id,
    String title,
    String results,
    Length full,
    List<Length> quick,
    Map<String, String> environment,
    List<Taken> taken) {

  /**
   * The arguments of {@code ./gatehouse bench}, and how long that takes.
   *
   * @param counted how many of the last rounds count; 0 for all that the benchmark calls measured
   */
  public record Length(List<String> arguments, double minutes, int counted) {
    public static Length of(double minutes, String arguments) {
      return new Length(List.of(arguments.strip().split("\\s+")), minutes, 0);
    }

    /** The same, for a benchmark that calls its first rounds measured although its nodes are cold in them. */
    public Length counting(int lastRounds) {
      return new Length(arguments, minutes, lastRounds);
    }
  }

  /**
   * A figure, and what stands beside it.
   *
   * @param onlyFull whether {@code --quick} is too short for it
   */
  public record Taken(String figure, String unit, Take take, List<Compared> compared, boolean onlyFull) {
    public static Taken of(String figure, String unit, Take take, Compared... compared) {
      return new Taken(figure, unit, take, List.of(compared), false);
    }

    /** The same, not in a run of {@code --quick}. */
    public Taken inFullRuns() {
      return new Taken(figure, unit, take, compared, true);
    }
  }

  /** A peer or a limit that is measured by the same run, in the same unit. */
  public record Compared(Beside.Kind kind, String name, Take take) {
    public static Compared peer(String name, Take take) {
      return new Compared(Beside.Kind.PEER, name, take);
    }

    public static Compared limit(String name, Take take) {
      return new Compared(Beside.Kind.LIMIT, name, take);
    }
  }

  /** Whether {@code --quick} runs it. */
  public boolean isQuick() {
    return !quick.isEmpty();
  }

  public Length length(boolean isQuick) {
    return isQuick ? quick.getFirst() : full;
  }

  /** The figures that a run of that length has. */
  public List<Taken> taken(boolean isQuick) {
    return taken.stream().filter(each -> !isQuick || !each.onlyFull()).toList();
  }

  /** The command line that repeats the row. */
  public String command(boolean isQuick) {
    StringBuilder line = new StringBuilder();
    environment.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(each -> line.append(each.getKey()).append("=\"").append(each.getValue()).append("\" "));
    return line.append("./gatehouse bench ").append(String.join(" ", length(isQuick).arguments())).toString();
  }
}
