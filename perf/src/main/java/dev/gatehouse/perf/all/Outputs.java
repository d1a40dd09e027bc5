package dev.gatehouse.perf.all;

import dev.gatehouse.perf.report.Plan;
import dev.gatehouse.perf.report.Records;
import dev.gatehouse.perf.report.ReportHtml;
import dev.gatehouse.perf.report.ReportMarkdown;
import dev.gatehouse.perf.report.ReportTables;
import dev.gatehouse.perf.report.RowRecord;
import dev.gatehouse.perf.report.SizingPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The files that are made of the records. */
record Outputs(Plan plan, Records records, Path results, Path sizingPage) {

  static final String MARKDOWN = "REPORT.md";
  static final String HTML = "report.html";

  void write() throws IOException {
    Map<String, RowRecord> all = records.all();
    ReportTables tables = ReportTables.of(plan, all);
    Files.createDirectories(results);
    Files.writeString(results.resolve(MARKDOWN), new ReportMarkdown(tables).text());
    Files.writeString(results.resolve(HTML), new ReportHtml(tables).text());
    if (Files.isRegularFile(sizingPage)) {
      Files.writeString(sizingPage, SizingPage.replaced(Files.readString(sizingPage), plan, all));
    }
  }
}
