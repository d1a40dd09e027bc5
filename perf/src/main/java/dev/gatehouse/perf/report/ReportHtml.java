package dev.gatehouse.perf.report;

import static dev.gatehouse.perf.report.Svg.escaped;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The report as one page of HTML that needs nothing else: no script, no font, no picture of elsewhere. */
public record ReportHtml(ReportTables tables) {

  private static final String STYLE = style();

  private static String style() {
    try (InputStream in = Objects.requireNonNull(ReportHtml.class.getResourceAsStream("report.css"), "report.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public String text() {
    StringBuilder html =
        new StringBuilder(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>Gatehouse: report of all benchmarks</title>
            <style>
            %s</style>
            </head>
            <body>
            <header>
            <h1>Report of all benchmarks</h1>
            """
                .formatted(STYLE));
    list(html, tables.head());
    html.append("<nav><a href=\"#wanted\">Wanted</a> ");
    tables.sections().forEach(each -> html.append("<a href=\"#").append(each.id()).append("\">").append(each.id()).append("</a> "));
    html.append("<a href=\"#curves\">Curves</a> <a href=\"#rows\">Rows</a> <a href=\"#peers\">Peers</a></nav>\n</header>\n<main>\n");
    html.append("<details><summary>How to read it</summary>\n");
    list(html, ReportTables.explanations());
    html.append("</details>\n");
    wanted(html);
    tables.sections().forEach(each -> section(html, each));
    curves(html);
    html.append("<section id=\"rows\">\n<h2>How each row ran</h2>\n")
        .append("<p><code>./gatehouse bench verify ROW</code> runs one again and says whether it agrees.</p>\n");
    List<String> kinds = tables.rows().stream().map(cells -> cells.get(1).startsWith("measured") ? "" : "missing").toList();
    html.append("<div class=\"commands\">\n");
    table(html, ReportTables.ROW_HEADER, tables.rows(), kinds);
    html.append("</div>\n");
    peers(html.append("</section>\n"));
    return html.append("</main>\n</body>\n</html>\n").toString();
  }

  private void wanted(StringBuilder html) {
    html.append("<section id=\"wanted\">\n<h2>What is wanted</h2>\n<p>").append(escaped(ReportTables.WANTED)).append("</p>\n");
    List<Judged> judged = tables.judged();
    written(html, Judged.HEADER, judged.stream().map(ReportHtml::cells).toList(), judged.stream().map(Judged::kind).toList());
    html.append("</section>\n");
  }

  private static List<String> cells(Judged each) {
    List<String> cells = new ArrayList<>(each.cells().stream().map(Svg::escaped).toList());
    cells.add(each.decision().isEmpty() ? "" : "<a href=\"" + each.link() + "\">" + each.decision() + "</a>");
    return cells;
  }

  private void peers(StringBuilder html) {
    html.append("<section id=\"peers\">\n<h2>How peers are set up</h2>\n");
    for (Plan.Settings each : tables.plan().peers()) {
      html.append("<h3>").append(escaped(each.name())).append("</h3>\n<p>").append(escaped(each.guide())).append("</p>\n");
      html.append("<details><summary>Settings</summary>\n<pre>").append(escaped(each.text().strip())).append("</pre>\n</details>\n");
    }
    html.append("</section>\n");
  }

  private static void list(StringBuilder html, List<String> points) {
    html.append("<ul>\n");
    points.forEach(each -> html.append("<li>").append(escaped(each)).append("</li>\n"));
    html.append("</ul>\n");
  }

  private static void section(StringBuilder html, ReportTables.Section section) {
    html.append("<section id=\"").append(section.id()).append("\">\n<h2>").append(section.id()).append(". ");
    html.append(escaped(section.title())).append("</h2>\n");
    BarChart.of(section)
        .ifPresent(
            svg ->
                html.append("<figure class=\"bars\">\n<p class=\"legend\"><span class=\"key published\"></span>published, for one CPU")
                    .append(" <span class=\"key ours\"></span>ours <span class=\"key peer\"></span>peer <span class=\"key limit\"></span>limit;")
                    .append(" operations per CPU second, logarithmic</p>\n")
                    .append(svg)
                    .append("</figure>\n"));
    List<String> kinds = section.entries().stream().map(ReportHtml::kind).toList();
    table(html, Entry.HEADER, section.entries().stream().map(Entry::cells).toList(), kinds);
    html.append("</section>\n");
  }

  private static String kind(Entry entry) {
    return !entry.measured() ? "missing" : entry.disturbed() ? "busy" : "";
  }

  private void curves(StringBuilder html) {
    html.append("<section id=\"curves\">\n<h2>Scaling curves</h2>\n")
        .append("<p>Power laws by least squares of the logarithms, with the standard error of the exponent.")
        .append(" Bars at a point are its rounds; a hollow point on a dashed line is extrapolated, not measured.</p>\n<div class=\"grid\">\n");
    for (Curve curve : tables.plan().curves()) {
      html.append("<figure>\n<h3>").append(escaped(curve.title())).append("</h3>\n<p class=\"axis\">");
      html.append(escaped(curve.yName())).append("</p>\n");
      html.append(CurveChart.of(curve, tables.records()).orElse("<p class=\"none\">not measured</p>\n"));
      html.append("<figcaption>").append(escaped(tables.words(curve))).append("</figcaption>\n");
      html.append("<details><summary>Points</summary>\n");
      table(html, ReportTables.CURVE_HEADER, tables.points(curve), List.of());
      html.append("</details>\n</figure>\n");
    }
    html.append("</div>\n</section>\n");
  }

  private static void table(StringBuilder html, List<String> header, List<List<String>> rows, List<String> kinds) {
    written(html, header, rows.stream().map(cells -> cells.stream().map(Svg::escaped).toList()).toList(), kinds);
  }

  /**
   * On a phone each cell stands below the one before, with the name of its column.
   *
   * @param rows of cells that are HTML already
   */
  private static void written(StringBuilder html, List<String> header, List<List<String>> rows, List<String> kinds) {
    html.append("<table>\n<thead><tr>");
    header.forEach(each -> html.append("<th scope=\"col\">").append(escaped(each)).append("</th>"));
    html.append("</tr></thead>\n<tbody>\n");
    for (int row = 0; row < rows.size(); row++) {
      String kind = row < kinds.size() ? kinds.get(row) : "";
      html.append(kind.isEmpty() ? "<tr>" : "<tr class=\"" + kind + "\">");
      for (int column = 0; column < header.size(); column++) {
        String cell = rows.get(row).get(column);
        String tag = column == 0 ? "th scope=\"row\"" : "td";
        html.append("<").append(tag).append(cell.isEmpty() ? " class=\"empty\"" : "").append(" data-name=\"");
        html.append(escaped(header.get(column))).append("\">").append(cell).append(column == 0 ? "</th>" : "</td>");
      }
      html.append("</tr>\n");
    }
    html.append("</tbody>\n</table>\n");
  }
}
