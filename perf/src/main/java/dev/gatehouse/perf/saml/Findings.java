package dev.gatehouse.perf.saml;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.saml.SamlCase.Dimension;
import dev.gatehouse.perf.targets.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;

/** The conclusions from the counted rounds: a table like that of S1, and an answer to each of its findings. */
public final class Findings {

  private final Map<SamlCase, List<Iteration>> rounds = new LinkedHashMap<>();

  /** @param counted how many of the last rounds of each case count */
  public Findings(List<Iteration> all, int counted) {
    for (SamlCase each : SamlCase.all()) {
      List<Iteration> own = all.stream().filter(round -> round.row().equals(each.name())).toList();
      if (!own.isEmpty()) {
        rounds.put(each, own.subList(Math.max(0, own.size() - counted), own.size()));
      }
    }
  }

  /** CPU milliseconds per transaction by process: the mean of the counted rounds, weighted by their transactions. */
  public Map<String, Double> cpuMilliseconds(SamlCase samlCase) {
    Map<String, Double> costs = new LinkedHashMap<>();
    List<Iteration> own = rounds.getOrDefault(samlCase, List.of());
    long transactions = Math.max(1, own.stream().mapToLong(Iteration::operations).sum());
    for (Iteration round : own) {
      for (Iteration.Cost cost : round.costs()) {
        costs.merge(cost.process(), 1000 * cost.cpuSeconds() / transactions, Double::sum);
      }
    }
    return costs;
  }

  public String markdown() {
    Markdown table = Markdown.table("# | their finding | ours");
    row(table, "Persistent federation costs 20 %", compare(Dimension.FEDERATED, "persistent") + "; wanted: " + Target.PERSISTENT.wanted());
    row(table, "SOAP logout costs 25 % more than HTTP logout", compare(Dimension.LOGOUT, "SOAP") + "; wanted: at most 0.2 ms more");
    row(table, "Artifact is slower than POST", compare(Dimension.PROFILE, "Artifact"));
    row(table, "IdP-initiated is faster", compare(Dimension.INITIATOR, "IdP-initiated"));
    row(table, "The SP saturates first", saturation());
    row(table, "Assertion consumption is the slowest step", slowest());
    row(table, "2+2 servers double throughput and halve response time", "`./gatehouse bench nodes --row s1` answers it: see nodes-s1.md");
    row(table, "100,000 or 1,000,000 people: no difference", "`./gatehouse bench directory` answers it: see directory.md");
    return "![CPU by case](saml.svg)\n" + cases() + "\nSteps: mean / p50 / p95 / p99 in milliseconds, of the last round.\n"
        + "\n## The eight findings of the report\n\nDifferences of pairs that are the same but for the one thing; mean, and from"
        + " the least to the greatest pair.\n" + table;
  }

  private Markdown cases() {
    Markdown table =
        Markdown.table(
            "initiator, federation, profile, logout | TPS | published 1+1 | CPU ms idp | sp | slapd | all | login | generation"
                + " | consumption | single sign-on | logout");
    rounds.forEach(
        (samlCase, own) -> {
          Map<String, Double> cpu = cpuMilliseconds(samlCase);
          List<String> steps =
              Stream.of(
                      "IdP Login", "IdP Assertion Generation", "SP Assertion Consumption", "Single Sign-On",
                      samlCase.logout() + " Logout")
                  .map(step -> step(own, step).map(Findings::times).orElse(""))
                  .toList();
          table.row(
              "%s | %.0f | %d | %.2f | %.2f | %.2f | %.2f | %s",
              samlCase.name(), tps(samlCase), samlCase.published(), cpu.getOrDefault("idp", 0.0), cpu.getOrDefault("sp", 0.0),
              cpu.getOrDefault("slapd", 0.0), all(samlCase), String.join(" | ", steps));
        });
    return table;
  }

  private static Optional<Iteration.Step> step(List<Iteration> own, String name) {
    return own.getLast().steps().stream().filter(step -> step.name().equals(name)).findFirst();
  }

  private static String times(Iteration.Step step) {
    return format("%.0f / %.0f / %.0f / %.0f", step.meanMs(), step.p50Ms(), step.p95Ms(), step.p99Ms());
  }

  private static void row(Markdown table, String theirs, String ours) {
    table.row("%d | %s | %s", 1 + table.size(), theirs, ours);
  }

  private String compare(Dimension dimension, String second) {
    DoubleSummaryStatistics cpu = pairs(dimension, (one, other) -> all(other) - all(one));
    DoubleSummaryStatistics percent = pairs(dimension, (one, other) -> 100 * (all(other) / all(one) - 1));
    DoubleSummaryStatistics tps = pairs(dimension, (one, other) -> 100 * (tps(other) / tps(one) - 1));
    if (cpu.getCount() == 0) {
      return "not measured: no pair was run";
    }
    return second + ": " + spread("%+.2f ms of CPU (%+.2f .. %+.2f), ", cpu) + spread("%+.0f %% (%+.0f .. %+.0f); ", percent)
        + spread("TPS %+.0f %% (%+.0f .. %+.0f); ", tps) + cpu.getCount() + " pairs";
  }

  private static String spread(String format, DoubleSummaryStatistics values) {
    return format(format, values.getAverage(), values.getMin(), values.getMax());
  }

  private String saturation() {
    DoubleSummaryStatistics shares =
        rounds.keySet().stream()
            .map(this::cpuMilliseconds)
            .mapToDouble(cpu -> cpu.getOrDefault("sp", 0.0) / cpu.getOrDefault("idp", 1.0))
            .summaryStatistics();
    return spread("the SP with its gateway takes %.2f times the CPU of the IdP (%.2f .. %.2f): ", shares)
        + (shares.getAverage() > 1 ? "it would" : "the IdP would");
  }

  private String slowest() {
    Map<String, Integer> slowest = new LinkedHashMap<>();
    for (List<Iteration> own : rounds.values()) {
      own.getLast().steps().stream()
          .max(Comparator.comparingDouble(Iteration.Step::meanMs))
          .ifPresent(step -> slowest.merge(step.name(), 1, Integer::sum));
    }
    List<String> counts = new ArrayList<>();
    slowest.forEach((name, count) -> counts.add(name + " in " + count + " cases"));
    return "the slowest step is " + String.join(", ", counts);
  }

  private double all(SamlCase samlCase) {
    return cpuMilliseconds(samlCase).values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private double tps(SamlCase samlCase) {
    return rounds.getOrDefault(samlCase, List.of()).stream()
        .mapToDouble(Iteration::perSecond)
        .average()
        .orElse(0);
  }

  private DoubleSummaryStatistics pairs(Dimension dimension, ToDoubleBiFunction<SamlCase, SamlCase> difference) {
    DoubleSummaryStatistics differences = new DoubleSummaryStatistics();
    List<SamlCase> run = List.copyOf(rounds.keySet());
    for (int i = 0; i < run.size(); i++) {
      for (SamlCase second : run.subList(i + 1, run.size())) {
        if (run.get(i).differsOnlyBy(second, dimension)) {
          differences.accept(difference.applyAsDouble(run.get(i), second));
        }
      }
    }
    return differences;
  }
}
