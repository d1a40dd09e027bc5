package dev.gatehouse.perf.report;

import java.util.Collection;
import java.util.List;

/**
 * The values of one figure, round by round.
 *
 * @param rounds in the order in which they were measured; at least one
 */
public record Series(List<Double> rounds) {

  public Series {
    rounds = List.copyOf(rounds);
    if (rounds.isEmpty() || !rounds.stream().allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("not a measured series: " + rounds);
    }
  }

  public static Series of(Collection<Double> rounds) {
    return new Series(List.copyOf(rounds));
  }

  /** The middle value, or the mean of the two in the middle. */
  public double median() {
    List<Double> sorted = rounds.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  public double lowest() {
    return rounds.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  public double highest() {
    return rounds.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }
}
