package dev.gatehouse.perf.faults;

import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/** {@code faults.json} and {@code faults.md}: repeating a case replaces its previous result; the other results stay. */
final class FaultReport {

  private final Path folder;
  private final Map<String, FaultResult> results = new LinkedHashMap<>();

  FaultReport(Path folder) throws IOException {
    this.folder = folder;
    Path file = file("json");
    if (Files.exists(file)) {
      for (FaultResult each : Report.JSON.readValue(Files.readString(file), new TypeReference<List<FaultResult>>() {})) {
        results.put(each.name(), each);
      }
    }
  }

  private Path file(String ending) {
    return folder.resolve("faults." + ending);
  }

  /** Writes after each case, so that an interrupted run retains its results. */
  void add(FaultResult result) throws IOException {
    results.put(result.name(), result);
    Files.createDirectories(folder);
    Files.writeString(file("json"), Report.JSON.writeValueAsString(results.values()) + "\n");
    Files.writeString(file("md"), markdown(results.values()));
  }

  static String markdown(Collection<FaultResult> results) throws IOException {
    StringBuilder md = new StringBuilder("# faults\n\n`./gatehouse bench faults`; " + Machine.here());
    md.append(". Attackers and the prober are processes apart from the node.\n");
    for (FaultResult result : results) {
      md.append("\n## " + result.name() + "\n\n" + result.description() + " Commit " + result.commit() + ", ");
      md.append(result.measuredAt() + ".\n");
      if (!result.failure().isEmpty()) {
        md.append("\n**Not carried out:** " + result.failure().replace('\n', ' ') + "\n");
      }
      Markdown table = Markdown.table("figure | measured | bound | kept");
      result.figures().forEach(
          line -> table.row("%s | %s | %s | %s", line.what(), line.measured(), line.bound(), line.kept() ? "yes" : "**no**"));
      md.append(table);
    }
    return md.toString();
  }
}
