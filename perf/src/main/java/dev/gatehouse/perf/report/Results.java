package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** What one benchmark wrote into a folder of its own. */
public final class Results {

  private final Path folder;
  private final JsonNode json;
  private final List<Iteration> iterations;

  private Results(Path folder, JsonNode json, List<Iteration> iterations) {
    this.folder = folder;
    this.json = json;
    this.iterations = List.copyOf(iterations);
  }

  /**
   * Reads {@code name.json}; a benchmark that compares builds has none.
   *
   * @param counted how many of the last rounds of each row count; 0 for all
   */
  public static Results read(Path folder, String name, int counted) throws IOException {
    Path file = folder.resolve(name + ".json");
    if (!Files.isRegularFile(file)) {
      return new Results(folder, MissingNode.getInstance(), List.of());
    }
    try {
      JsonNode json = Report.JSON.readTree(Files.readString(file));
      List<Iteration> iterations = new ArrayList<>();
      for (JsonNode each : json.path("iterations")) {
        iterations.add(Report.JSON.treeToValue(each, Iteration.class));
      }
      return new Results(folder, json, counted == 0 ? iterations : last(iterations, counted));
    } catch (JacksonException e) {
      throw new IOException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Where a benchmark counts its first rounds as measured, although they are warm-up. */
  private static List<Iteration> last(List<Iteration> all, int counted) {
    List<Iteration> last = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Iteration each = all.get(i);
      long later =
          all.subList(i + 1, all.size()).stream()
              .filter(one -> one.isMeasured() && one.server().equals(each.server()) && one.row().equals(each.row()))
              .count();
      if (later < counted) {
        last.add(each);
      }
    }
    return last;
  }

  JsonNode json() {
    return json;
  }

  List<Iteration> iterations() {
    return iterations;
  }

  /** The text of a report; empty if there is none. */
  String markdown(String file) throws IOException {
    Path path = folder.resolve(file + ".md");
    return Files.isRegularFile(path) ? Files.readString(path) : "";
  }

  /** What the benchmark itself calls failed. */
  public List<String> complaints() {
    List<String> complaints = new ArrayList<>();
    json.path("failures").forEach(each -> complaints.add(each.asString("")));
    return complaints;
  }
}
