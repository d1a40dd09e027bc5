package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.report.Figure.Seen;
import dev.gatehouse.perf.report.Selection.Part;
import dev.gatehouse.perf.report.Selection.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** How a figure is taken from what a benchmark wrote. Nothing if the benchmark did not measure it. */
public sealed interface Take {

  /** @throws IOException if the results cannot be read; that something is missing in them is no fault */
  Optional<Seen> from(Results results) throws IOException;

  /** The first of several that is there, where the two lengths of a row name it differently. */
  record First(List<Take> takes) implements Take {
    @Override
    public Optional<Seen> from(Results results) throws IOException {
      for (Take each : takes) {
        Optional<Seen> seen = each.from(results);
        if (seen.isPresent()) {
          return seen;
        }
      }
      return Optional.empty();
    }
  }

  /** Operations per CPU second of the server's own processes, by round, from the measured iterations of a row at a server. */
  record Rate(String server, String row) implements Take {

    private static final Pattern OURS = Pattern.compile("gatehouse.*|idp.*|sp|app-\\d+|node");

    @Override
    public Optional<Seen> from(Results results) {
      List<Iteration> rounds = measured(results, server, row);
      List<Double> rates = rounds.stream().filter(each -> ownCpu(each) > 0).map(each -> each.operations() / ownCpu(each)).toList();
      return rates.isEmpty() ? Optional.empty() : Optional.of(new Seen(Series.of(rates), more(rounds)));
    }

    private static List<Iteration> measured(Results results, String server, String row) {
      return results.iterations().stream()
          .filter(each -> each.isMeasured() && each.server().equals(server) && each.row().equals(row) && each.operations() > 0)
          .toList();
    }

    /** The first process is the server's; a federation has two of its own. */
    static double ownCpu(Iteration round) {
      double cpu = 0;
      for (int i = 0; i < round.costs().size(); i++) {
        if (i == 0 || OURS.matcher(round.costs().get(i).process()).matches()) {
          cpu += round.costs().get(i).cpuSeconds();
        }
      }
      return cpu;
    }

    private static Map<String, Double> more(List<Iteration> rounds) {
      Map<String, Double> more = new LinkedHashMap<>();
      more.put("per second", median(rounds.stream().map(Iteration::perSecond)));
      for (Iteration.Cost cost : rounds.getFirst().costs()) {
        more.put(
            "CPU ms of " + cost.process(),
            median(rounds.stream().map(round -> 1000 * round.cpuSeconds(cost.process()) / round.operations())));
      }
      for (Iteration.Step step : rounds.getFirst().steps()) {
        String name = rounds.getFirst().steps().size() == 1 ? "" : step.name() + ", ";
        more.put(name + "mean ms", median(steps(rounds, step.name()).map(Iteration.Step::meanMs)));
        more.put(name + "p50 ms", median(steps(rounds, step.name()).map(Iteration.Step::p50Ms)));
        if (step.p95Ms() > 0) {
          more.put(name + "p95 ms", median(steps(rounds, step.name()).map(Iteration.Step::p95Ms)));
        }
        more.put(name + "p99 ms", median(steps(rounds, step.name()).map(Iteration.Step::p99Ms)));
        if (step.p999Ms() > 0) {
          more.put(name + "p99.9 ms", median(steps(rounds, step.name()).map(Iteration.Step::p999Ms)));
        }
      }
      double failed = rounds.stream().mapToLong(Iteration::failures).sum();
      if (failed > 0) {
        more.put("failed requests", failed);
      }
      return more;
    }

    private static Stream<Iteration.Step> steps(List<Iteration> rounds, String name) {
      return rounds.stream().flatMap(round -> round.steps().stream()).filter(step -> step.name().equals(name));
    }

    private static double median(Stream<Double> values) {
      return Series.of(values.toList()).median();
    }
  }

  /**
   * The 99th percentile of the times of a row's last step, by round.
   *
   * @param inMeans whether it is divided by the mean, and not in milliseconds
   */
  record Times(String server, String row, boolean inMeans) implements Take {
    @Override
    public Optional<Seen> from(Results results) {
      List<Iteration> rounds = Rate.measured(results, server, row);
      List<Double> times =
          rounds.stream().map(each -> each.steps().getLast()).map(each -> inMeans ? each.tail() : each.p99Ms()).toList();
      return times.isEmpty() ? Optional.empty() : Optional.of(new Seen(Series.of(times), Rate.more(rounds)));
    }
  }

  /** What one kind of iterations costs in another, round by round. */
  record Ratio(Selection one, Selection other) implements Take {
    @Override
    public Optional<Seen> from(Results results) {
      List<Double> ones = one.rounds(results.iterations());
      List<Double> others = other.rounds(results.iterations());
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < Math.min(ones.size(), others.size()); i++) {
        if (others.get(i) > 0) {
          ratios.add(ones.get(i) / others.get(i));
        }
      }
      return ratios.isEmpty() ? Optional.empty() : Optional.of(Seen.of(Series.of(ratios)));
    }
  }

  /**
   * What rows with a word in their names have more than those with another word in its place: the mean over these pairs, round by round. A
   * row without the other one does not count.
   */
  record Difference(String server, String word, String otherWord, Part part, double scale) implements Take {
    @Override
    public Optional<Seen> from(Results results) {
      Map<Place, List<Double>> others = new Selection(server, List.of(otherWord), part).rows(results.iterations());
      List<List<Double>> pairs = new ArrayList<>();
      new Selection(server, List.of(word), part)
          .rows(results.iterations())
          .forEach((place, values) -> Optional.ofNullable(others.get(other(place))).ifPresent(each -> pairs.add(more(values, each))));
      List<Double> rounds = Selection.means(pairs);
      return rounds.isEmpty() ? Optional.empty() : Optional.of(Seen.of(Series.of(rounds)));
    }

    private Place other(Place place) {
      List<String> words = Arrays.stream(place.row().split(", ")).map(each -> each.equals(word) ? otherWord : each).toList();
      return new Place(place.server(), String.join(", ", words));
    }

    private List<Double> more(List<Double> values, List<Double> others) {
      List<Double> more = new ArrayList<>();
      for (int i = 0; i < Math.min(values.size(), others.size()); i++) {
        more.add(scale * (values.get(i) - others.get(i)));
      }
      return more;
    }
  }

  /**
   * A number in JSON objects: each object below the results that has all these fields with these values gives one round.
   *
   * @param match by field
   * @param fields whose sum is the value
   * @param per the field by which the sum is divided; empty for none
   */
  record Field(Map<String, String> match, List<String> fields, String per, double scale) implements Take {

    public static Field of(Map<String, String> match, String field) {
      return new Field(match, List.of(field), "", 1);
    }

    @Override
    public Optional<Seen> from(Results results) throws IOException {
      List<Double> values = new ArrayList<>();
      collect(results.json(), values);
      return values.isEmpty() ? Optional.empty() : Optional.of(Seen.of(Series.of(values)));
    }

    private void collect(JsonNode node, List<Double> into) {
      boolean matches =
          node.isObject()
              && match.entrySet().stream().allMatch(each -> node.path(each.getKey()).asString("").equals(each.getValue()))
              && fields.stream().allMatch(field -> node.path(field).isNumber())
              && (per.isEmpty() || node.path(per).asDouble(0) > 0);
      if (matches) {
        double sum = fields.stream().mapToDouble(field -> node.path(field).asDouble(0)).sum();
        into.add(scale * sum / (per.isEmpty() ? 1 : node.path(per).asDouble(1)));
      }
      node.forEach(below -> collect(below, into));
    }
  }

  /** The iterations of a JMH benchmark, as JMH measured them. */
  record Jmh(String benchmark, Map<String, String> parameters) implements Take {
    @Override
    public Optional<Seen> from(Results results) throws IOException {
      for (JsonNode each : results.json()) {
        boolean matches =
            each.path("benchmark").asString("").endsWith("." + benchmark)
                && parameters.entrySet().stream()
                    .allMatch(one -> each.path("params").path(one.getKey()).asString("").equals(one.getValue()));
        if (matches) {
          List<Double> rounds = new ArrayList<>();
          each.path("primaryMetric").path("rawData").forEach(fork -> fork.forEach(value -> rounds.add(value.asDouble(Double.NaN))));
          double allocated = each.path("secondaryMetrics").path("gc.alloc.rate.norm").path("score").asDouble(-1);
          return rounds.isEmpty()
              ? Optional.empty()
              : Optional.of(new Seen(Series.of(rounds), allocated < 0 ? Map.of() : Map.of("bytes allocated", allocated)));
        }
      }
      return Optional.empty();
    }
  }

  /**
   * A number in a table of the Markdown, for reports that have no JSON.
   *
   * @param file without ending
   * @param row the text of the first cell
   * @param column from 0
   */
  record Cell(String file, String row, int column) implements Take {
    @Override
    public Optional<Seen> from(Results results) throws IOException {
      for (String line : results.markdown(file).lines().toList()) {
        String[] cells = line.split("\\|", -1);
        if (cells.length > column + 2 && cells[1].strip().equals(row)) {
          String number = cells[column + 1].replaceAll("[*, ]", "");
          return number.matches("-?\\d+(\\.\\d+)?")
              ? Optional.of(Seen.of(Series.of(List.of(Double.parseDouble(number)))))
              : Optional.empty();
        }
      }
      return Optional.empty();
    }
  }
}
