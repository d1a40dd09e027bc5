package dev.gatehouse.perf.faults;

import dev.gatehouse.perf.report.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code faults.json} and {@code faults.md}: repeating a case replaces its previous result; the other results stay. */
final class FaultReport {

  private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Path folder;
  private final Map<String, Stored> results = new LinkedHashMap<>();

  /** A result as the JSON contains it, with figures as text. */
  record Stored(
      String name, String description, String commit, String measuredAt, List<Line> figures, boolean kept, String failure) {}

  /** One figure. */
  record Line(String what, String measured, String bound, boolean kept) {}

  FaultReport(Path folder) throws IOException {
    this.folder = folder;
    Path file = file("json");
    if (Files.exists(file)) {
      for (Stored each : JSON.readValue(Files.readString(file), new TypeReference<List<Stored>>() {})) {
        results.put(each.name(), each);
      }
    }
  }

  private Path file(String ending) {
    return folder.resolve("faults." + ending);
  }

  /** Writes after each case, so that an interrupted run retains its results. */
  void add(FaultResult result) throws IOException {
    results.put(result.name(), stored(result));
    Files.createDirectories(folder);
    Files.writeString(file("json"), JSON.writeValueAsString(results.values()) + "\n");
    Files.writeString(file("md"), markdown(results.values()));
  }

  private static Stored stored(FaultResult result) {
    return new Stored(
        result.name(),
        result.description(),
        result.commit(),
        result.measuredAt().toString(),
        result.figures().stream()
            .map(figure -> new Line(figure.what(), figure.measuredText(), figure.boundText(), figure.kept()))
            .toList(),
        result.kept(),
        result.failure().orElse(""));
  }

  static String markdown(Collection<Stored> results) throws IOException {
    Machine machine = Machine.here();
    StringBuilder md = new StringBuilder("# faults\n\n");
    md.append("`./gatehouse bench faults`; ").append(machine.cores()).append(" cores of ").append(machine.processor());
    md.append(", JDK ").append(machine.java()).append(". Attackers and the prober are processes apart from the node.\n");
    for (Stored result : results) {
      md.append("\n## ").append(result.name()).append("\n\n").append(result.description()).append(" Commit ");
      md.append(result.commit()).append(", ").append(result.measuredAt()).append(".\n\n");
      if (!result.failure().isEmpty()) {
        md.append("**Not carried out:** ").append(result.failure().replace('\n', ' ')).append("\n");
      }
      md.append("| figure | measured | bound | kept |\n|---|---|---|---|\n");
      for (Line line : result.figures()) {
        md.append("| ").append(line.what()).append(" | ").append(line.measured()).append(" | ").append(line.bound());
        md.append(" | ").append(line.kept() ? "yes" : "**no**").append(" |\n");
      }
    }
    return md.toString();
  }
}
