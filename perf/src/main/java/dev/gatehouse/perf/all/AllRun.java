package dev.gatehouse.perf.all;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.report.Records;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.RowRecord;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/**
 * Runs rows one after the other and keeps the record of each as soon as it has ended, so that what was measured survives an interruption.
 *
 * @param again whether finished rows run, too
 */
record AllRun(Finished finished, Records records, Runner runner, Report report, boolean again, PrintStream out) {

  static final double QUICK_MINUTES = 90;

  private static final double MINUTE = 60e9;

  /** Runs a row. */
  @FunctionalInterface
  interface Runner {
    RowRecord run(Row row, boolean quick) throws IOException, InterruptedException;
  }

  /** Writes the report of all records so far. */
  @FunctionalInterface
  interface Report {
    void write() throws IOException;
  }

  /** Returns whether all rows have all their figures. */
  boolean run(List<Row> rows) throws IOException, InterruptedException {
    boolean quick = finished.quick();
    long begun = System.nanoTime();
    boolean whole = true;
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      String place = format("%s (%d of %d)", row.id(), i + 1, rows.size());
      if (!again && finished.has(row, records.all())) {
        out.println(place + ": finished before");
        continue;
      }
      double minutes = (System.nanoTime() - begun) / MINUTE;
      if (quick && minutes + row.length(true).minutes() > QUICK_MINUTES) {
        out.println(place + ": left out, because the 90 minutes would be over; run it again to go on");
        whole = false;
        continue;
      }
      out.println(format("%s: %s; about %.1f minutes", place, row.command(quick), row.length(quick).minutes()));
      RowRecord seen = runner.run(row, quick);
      records.write(seen);
      report.write();
      whole &= seen.complete();
      out.println(
          format("%s: %s after %.1f minutes; %s", place, words(seen), seen.circumstances().minutes(), seen.circumstances().busy()));
    }
    return whole;
  }

  private static String words(RowRecord seen) {
    return switch (seen.state()) {
      case MEASURED -> "measured" + (seen.complaints().isEmpty() ? "" : ", with complaints: " + String.join("; ", seen.complaints()));
      case PARTLY -> "partly measured, without " + String.join(", ", seen.missing().keySet()) + ": " + seen.reason();
      case FAILED -> "FAILED: " + seen.reason();
    };
  }
}
