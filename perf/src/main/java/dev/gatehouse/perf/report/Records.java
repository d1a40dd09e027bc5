package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A folder with one JSON file for each row that was run, all at one commit; those of former commits are kept below it. */
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

  /** The commits that have records here; one, unless somebody copied files. */
  public List<String> commits() throws IOException {
    return all().values().stream().map(each -> each.circumstances().commit()).distinct().sorted().toList();
  }

  /**
   * Moves the records of other commits to {@code former/COMMIT}.
   *
   * @return those commits
   */
  public List<String> putAside(String commit) throws IOException {
    List<String> others = new ArrayList<>();
    for (RowRecord each : all().values()) {
      String other = each.circumstances().commit();
      if (!other.equals(commit)) {
        Path aside = Files.createDirectories(folder.resolve(FORMER).resolve(other));
        Files.move(folder.resolve(each.row() + JSON), aside.resolve(each.row() + JSON), StandardCopyOption.REPLACE_EXISTING);
        if (!others.contains(other)) {
          others.add(other);
        }
      }
    }
    return others;
  }
}
