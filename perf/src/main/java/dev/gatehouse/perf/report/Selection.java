package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Iteration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The measured iterations at one server whose rows have some words in their names, and what of them is looked at.
 *
 * @param server any if empty
 * @param words all of which the row's name has, between commas; any row if there are none
 */
public record Selection(String server, List<String> words, Part part) {

  /** What of an iteration is looked at. */
  public sealed interface Part {

    /** CPU of all processes for an operation. */
    record AllCpu() implements Part {}

    /** CPU of our processes for an operation. */
    record OwnCpu() implements Part {}

    /** CPU of one process for an operation. */
    record Cpu(String process) implements Part {}

    /** The mean time of a step. */
    record Step(String name) implements Part {}

    /** The mean time of the slowest other step. */
    record SlowestBut(String name) implements Part {}
  }

  /** A row at a server. */
  record Place(String server, String row) {}

  /** A value for each round: the mean over the rows. */
  List<Double> rounds(List<Iteration> iterations) {
    return means(rows(iterations).values());
  }

  /** The values of each row, round by round. */
  Map<Place, List<Double>> rows(List<Iteration> iterations) {
    Map<Place, List<Double>> rows = new LinkedHashMap<>();
    for (Iteration each : iterations) {
      boolean isChosen =
          each.isMeasured() && each.operations() > 0 && (server.isEmpty() || each.server().equals(server))
              && List.of(each.row().split(", ")).containsAll(words);
      if (isChosen) {
        Place place = new Place(each.server(), each.row());
        value(each).ifPresent(value -> rows.computeIfAbsent(place, row -> new ArrayList<>()).add(value));
      }
    }
    return rows;
  }

  /** The mean over all rows, for as many rounds as each row has. */
  static List<Double> means(Collection<List<Double>> rows) {
    int least = rows.stream().mapToInt(List::size).min().orElse(0);
    List<Double> rounds = new ArrayList<>();
    for (int i = 0; i < least; i++) {
      int round = i;
      rounds.add(rows.stream().mapToDouble(values -> values.get(round)).average().orElseThrow());
    }
    return rounds;
  }

  private OptionalDouble value(Iteration round) {
    return switch (part) {
      case Part.AllCpu all -> OptionalDouble.of(round.allCpuSeconds() / round.operations());
      case Part.OwnCpu own -> OptionalDouble.of(Take.Rate.ownCpu(round) / round.operations());
      case Part.Cpu(String process) -> OptionalDouble.of(round.cpuSeconds(process) / round.operations());
      case Part.Step(String name) ->
          round.steps().stream().filter(step -> step.name().equals(name)).mapToDouble(Iteration.Step::meanMs).findFirst();
      case Part.SlowestBut(String name) ->
          round.steps().stream().filter(step -> !step.name().equals(name)).mapToDouble(Iteration.Step::meanMs).max();
    };
  }
}
