package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A folder with one JSON file for each row that was run, all at one commit on one machine; those of others are kept below it. */
public final class Records {

  private static final String FORMER = "former";
  private static final String JSON = ".json";

  private final Path folder;

  public Records(Path folder) {
    this.folder = folder;
  }

  /** All records by row. A file that cannot be read is a mistake that is told, never a row that was not measured. */
  public Map<String, RowRecord> all() throws IOException {
    Map<String, RowRecord> all = new TreeMap<>();
    for (Path file : files()) {
      RowRecord each = read(file);
      if (!file.getFileName().toString().equals(each.row() + JSON)) {
        throw new IOException(file + " has the record of row \"" + each.row() + "\"; a record's file has the name of its row");
      }
      all.put(each.row(), each);
    }
    return all;
  }

  public Optional<RowRecord> find(String row) throws IOException {
    return Optional.ofNullable(all().get(row));
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(JSON)).sorted().toList();
    }
  }

  private static RowRecord read(Path file) throws IOException {
    try {
      JsonNode json = Report.JSON.readTree(Files.readString(file));
      int format = json.path("format").asInt(0);
      if (format != RowRecord.FORMAT) {
        throw new IOException(file + " has format " + format + "; this build reads format " + RowRecord.FORMAT);
      }
      return Report.JSON.treeToValue(json, RowRecord.class);
    } catch (JacksonException e) {
      throw new IOException(file + " is no record of a row: " + e.getMessage(), e);
    }
  }

  /** Replaces the record of the row, at once: a run that ends in the middle leaves the former one. */
  public void write(RowRecord each) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve(each.row() + JSON);
    Path next = folder.resolve(each.row() + ".next");
    Files.writeString(next, Report.JSON.writeValueAsString(each) + "\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** In words, each once, where records were measured that are not of this commit and machine. */
  public List<String> elsewhere(String commit, Machine machine) throws IOException {
    return all().values().stream().flatMap(each -> each.circumstances().elsewhere(commit, machine).stream()).distinct().sorted().toList();
  }

  /**
   * Moves the records of other commits and machines to {@code former/COMMIT/MACHINE}.
   *
   * @return where they were measured, see {@link #elsewhere}
   */
  public List<String> putAside(String commit, Machine machine) throws IOException {
    List<String> others = elsewhere(commit, machine);
    for (RowRecord each : all().values()) {
      Circumstances at = each.circumstances();
      if (at.elsewhere(commit, machine).isPresent()) {
        Path aside = Files.createDirectories(folder.resolve(FORMER).resolve(at.commit()).resolve(at.machine().word()));
        Files.move(folder.resolve(each.row() + JSON), aside.resolve(each.row() + JSON), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return others;
  }
}
