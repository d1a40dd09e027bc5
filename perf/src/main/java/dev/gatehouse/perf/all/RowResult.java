package dev.gatehouse.perf.all;

import dev.gatehouse.perf.report.Circumstances;
import dev.gatehouse.perf.report.Figure;
import dev.gatehouse.perf.report.Figure.Beside;
import dev.gatehouse.perf.report.Results;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Compared;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.RowRecord;
import dev.gatehouse.perf.report.RowRecord.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the record of a row from what its benchmark wrote. Nothing is filled in. */
final class RowResult {

  private static final int MOST_COMPLAINTS = 20;
  private static final int MOST_LETTERS = 400;
  private static final int LAST_LINES = 4;

  private RowResult() {}

  /**
   * @param folder with the results and {@code log.txt}
   * @param code with which the benchmark ended; 1 also says that an aim was missed
   * @param trouble what the runner had to do about it; empty for nothing
   */
  static RowRecord of(Row row, boolean quick, Circumstances circumstances, Path folder, int code, String trouble) throws IOException {
    List<Figure> figures = new ArrayList<>();
    Map<String, String> missing = new LinkedHashMap<>();
    List<String> complaints = new ArrayList<>();
    String unread = "";
    try {
      Results results = Results.read(folder, row.results(), row.length(quick).counted());
      complaints.addAll(results.complaints().stream().limit(MOST_COMPLAINTS).map(RowResult::shortened).toList());
      for (Taken each : row.taken(quick)) {
        take(each, results).ifPresentOrElse(figures::add, () -> missing.put(each.figure(), "the run has no such figure"));
      }
    } catch (IOException e) {
      unread = String.valueOf(e.getMessage());
    }
    if (!trouble.isEmpty()) {
      complaints.add(trouble);
    }
    if (code != 0 && complaints.isEmpty()) {
      complaints.add("it ended with code " + code + ", which may say that an aim was missed");
    }
    State state = figures.isEmpty() ? State.FAILED : missing.isEmpty() ? State.MEASURED : State.PARTLY;
    String reason = state == State.MEASURED ? "" : reason(code, trouble, unread, folder);
    return new RowRecord(RowRecord.FORMAT, row.id(), quick, row.command(quick), circumstances, state, reason, complaints, figures, missing);
  }

  private static Optional<Figure> take(Taken taken, Results results) throws IOException {
    Optional<Figure.Seen> seen = taken.take().from(results);
    if (seen.isEmpty()) {
      return Optional.empty();
    }
    List<Beside> beside = new ArrayList<>();
    for (Compared each : taken.compared()) {
      each.take().from(results).ifPresent(found -> beside.add(Beside.of(each.kind(), each.name(), found.series())));
    }
    return Optional.of(Figure.of(taken.figure(), taken.unit(), seen.get(), beside));
  }

  private static String reason(int code, String trouble, String unread, Path folder) throws IOException {
    List<String> words = new ArrayList<>();
    for (String each : List.of(trouble, unread)) {
      if (!each.isEmpty()) {
        words.add(each);
      }
    }
    if (code != 0) {
      words.add("it ended with code " + code);
    }
    String last = lastLines(folder.resolve("log.txt"));
    if (!last.isEmpty()) {
      words.add("the end of its log: " + last);
    }
    return shortened(String.join("; ", words));
  }

  private static String lastLines(Path log) throws IOException {
    if (!Files.isRegularFile(log)) {
      return "";
    }
    List<String> lines = Files.readString(log, StandardCharsets.UTF_8).lines().filter(line -> !line.isBlank()).toList();
    return String.join(" / ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
  }

  private static String shortened(String text) {
    String line = text.replace('\n', ' ').strip();
    return line.length() <= MOST_LETTERS ? line : line.substring(0, MOST_LETTERS) + " ...";
  }
}
