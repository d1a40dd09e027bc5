package dev.gatehouse.perf.report;

import java.util.ArrayList;
import java.util.List;

/** The report as Markdown. */
public record ReportMarkdown(ReportTables tables) {

  public String text() {
    StringBuilder md =
        new StringBuilder("# Report\n\nWritten by `./gatehouse bench all` from the records in `all`; the same with charts: ")
            .append("[report.html](report.html).\n\n");
    tables.head().forEach(each -> md.append("- ").append(escaped(each)).append("\n"));
    md.append("\nHow to read it:\n\n");
    ReportTables.explanations().forEach(each -> md.append("- ").append(escaped(each)).append("\n"));
    md.append("\n## What is wanted\n\n").append(escaped(ReportTables.WANTED)).append("\n");
    written(md, Judged.HEADER, tables.judged().stream().map(ReportMarkdown::cells).toList());
    for (ReportTables.Section section : tables.sections()) {
      md.append("\n## ").append(section.id()).append(". ").append(section.title()).append("\n");
      table(md, Entry.HEADER, section.entries().stream().map(Entry::cells).toList());
    }
    md.append("\n## Scaling curves\n\nPower laws by least squares of the logarithms, with the standard error of the exponent.\n");
    for (Curve curve : tables.plan().curves()) {
      md.append("\n### ").append(curve.title()).append("\n\nx: ").append(curve.xName()).append("; y: ").append(curve.yName()).append(". ");
      md.append(tables.words(curve)).append("\n");
      table(md, ReportTables.CURVE_HEADER, tables.points(curve));
    }
    md.append("\n## How each row ran\n\n`./gatehouse bench verify ROW` runs one again and says whether it agrees.\n");
    table(md, ReportTables.ROW_HEADER, tables.rows());
    md.append("\n## How peers are set up\n");
    for (Plan.Settings each : tables.plan().peers()) {
      md.append("\n### ").append(each.name()).append("\n\n").append(each.guide());
      md.append("\n\n```\n").append(each.text().strip()).append("\n```\n");
    }
    return md.toString();
  }

  private static List<String> cells(Judged each) {
    List<String> cells = new ArrayList<>(escaped(each.cells()));
    cells.add(each.decision().isEmpty() ? "" : "[" + each.decision() + "](" + each.link() + ")");
    return cells;
  }

  private static void table(StringBuilder md, List<String> header, List<List<String>> rows) {
    written(md, header, rows.stream().map(ReportMarkdown::escaped).toList());
  }

  /** @param rows of cells that are Markdown already */
  private static void written(StringBuilder md, List<String> header, List<List<String>> rows) {
    md.append("\n| ").append(String.join(" | ", header)).append(" |\n|").append("---|".repeat(header.size())).append("\n");
    rows.forEach(cells -> md.append("| ").append(String.join(" | ", cells)).append(" |\n"));
  }

  private static List<String> escaped(List<String> cells) {
    return cells.stream().map(ReportMarkdown::escaped).toList();
  }

  private static String escaped(String cell) {
    return cell.replace("|", "\\|").replace("<", "&lt;").replace("[", "\\[").replace("\n", " ");
  }
}
