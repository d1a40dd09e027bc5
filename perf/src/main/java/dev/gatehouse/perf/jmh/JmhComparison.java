package dev.gatehouse.perf.jmh;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The same JMH benchmarks of two builds, in turns: speed and allocation of each, and the ratio pair by pair. */
public final class JmhComparison {

  /** One run of a benchmark. @param speed more is faster, whatever the mode */
  private record Run(double score, String unit, double speed, double allocated) {}

  private final Map<String, List<Run>> ours = new LinkedHashMap<>();
  private final Map<String, List<Run>> others = new LinkedHashMap<>();

  /** Adds a pair of results, as JMH writes them. */
  public void add(Path own, Path other) throws IOException {
    read(own, ours);
    read(other, others);
  }

  private static void read(Path file, Map<String, List<Run>> into) throws IOException {
    for (JsonNode each : Report.JSON.readTree(Files.readString(file))) {
      String name = each.path("benchmark").asString("").replaceFirst(".*\\.(\\w+\\.\\w+)$", "$1");
      List<String> parameters = new ArrayList<>();
      each.path("params").properties().forEach(one -> parameters.add(one.getKey() + "=" + one.getValue().asString("")));
      double score = each.path("primaryMetric").path("score").asDouble(Double.NaN);
      boolean isRate = each.path("mode").asString("").equals("thrpt");
      Run run =
          new Run(
              score, each.path("primaryMetric").path("scoreUnit").asString(""), isRate ? score : 1 / score,
              each.path("secondaryMetrics").path("gc.alloc.rate.norm").path("score").asDouble(0));
      into.computeIfAbsent(String.join(" ", name, String.join(" ", parameters)).strip(), key -> new ArrayList<>()).add(run);
    }
  }

  /** The table; what only one of both builds has is named below it. */
  public String markdown() {
    Markdown table =
        Markdown.table("benchmark | pairs | this build | the other | speed in that of the other | lowest to highest | bytes allocated | the other's");
    List<String> single = new ArrayList<>();
    ours.forEach(
        (name, runs) -> {
          List<Run> theirs = others.getOrDefault(name, List.of());
          int pairs = Math.min(runs.size(), theirs.size());
          if (pairs == 0) {
            single.add(name);
            return;
          }
          List<Double> ratios = new ArrayList<>();
          for (int i = 0; i < pairs; i++) {
            ratios.add(runs.get(i).speed() / theirs.get(i).speed());
          }
          List<Double> sorted = ratios.stream().sorted().toList();
          table.row(
              "%s | %d | %s | %s | %.3f | %.3f to %.3f | %,.0f | %,.0f", name, pairs, score(runs), score(theirs), median(sorted), sorted.getFirst(),
              sorted.getLast(), median(runs.stream().map(Run::allocated).sorted().toList()),
              median(theirs.stream().map(Run::allocated).sorted().toList()));
        });
    others.keySet().stream().filter(name -> !ours.containsKey(name)).forEach(single::add);
    return table + (single.isEmpty() ? "" : "\nIn one of both builds only: " + String.join(", ", single) + ".\n");
  }

  private static String score(List<Run> runs) {
    return format("%,.0f %s", median(runs.stream().map(Run::score).sorted().toList()), runs.getFirst().unit());
  }

  private static double median(List<Double> sorted) {
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
