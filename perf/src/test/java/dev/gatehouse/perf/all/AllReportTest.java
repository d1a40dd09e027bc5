package dev.gatehouse.perf.all;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.perf.report.Figure;
import dev.gatehouse.perf.report.Plan;
import dev.gatehouse.perf.report.Records;
import dev.gatehouse.perf.report.ReportHtml;
import dev.gatehouse.perf.report.ReportMarkdown;
import dev.gatehouse.perf.report.ReportTables;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.RowRecord;
import dev.gatehouse.perf.report.Samples;
import dev.gatehouse.perf.report.SizingPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report and the sizing page of some records, as files in {@code golden}; {@code -Dgolden=write} writes them anew. */
class AllReportTest {

  private static final Path GOLDEN = Path.of("src/test/resources/dev/gatehouse/perf/all/golden");
  private static final Plan PLAN = AllRows.plan();

  @TempDir private Path folder;

  private static Row row(String id) {
    return PLAN.row(id).orElseThrow();
  }

  /** Some rows measured, one of them on a busy machine and one quickly; one failed; the others never ran. */
  private static Map<String, RowRecord> some() {
    List<RowRecord> records = new ArrayList<>();
    records.add(
        Samples.measured(
            row("sso"), false, Samples.COMMIT,
            Samples.rate("beside.sso.rsa", List.of(Samples.peer("Keycloak", 172), Samples.limit("bare signature, rsa-2048", 3_972)), 2_145, 2_100, 2_190),
            Samples.rate("beside.sso.p256", List.of(Samples.limit("bare signature, p-256", 20_500)), 4_681, 4_600, 4_700)));
    records.add(
        Samples.disturbed(
            Samples.measured(
                row("s3"), true, Samples.COMMIT,
                Samples.rate("s3.client-credentials", List.of(Samples.peer("Keycloak", 405)), 3_560, 3_500),
                Samples.rate("s3.code", List.of(Samples.limit("slapd alone", 7_000)), 917))));
    records.add(Samples.failed(row("s1"), "it ended with code 1; the end of its log: slapd did not start <here> | \"there\""));
    records.add(
        Samples.measured(
            row("s2-authorization"), false, Samples.COMMIT,
            Samples.rate("beside.protected-page", List.of(Samples.limit("nginx", 93_000)), 82_900, 83_100, 82_500),
            Samples.rate("s2.authorization.ten-pages", List.of(), 9_500, 9_400, 9_700)));
    records.add(curve("people-1000", "curve.people.1000", 1_500));
    records.add(curve("people-10000", "curve.people.10000", 1_480));
    records.add(curve("people-100000", "curve.people.100000", 1_400));
    records.add(curve("cores-pages-1", "curve.cores.pages.1", 80_000));
    records.add(curve("cores-pages-2", "curve.cores.pages.2", 76_000));
    records.add(
        Samples.measured(
            row("sessions"), false, Samples.COMMIT, Samples.figure("s2.sessions.gateway", "bytes", 102),
            Samples.figure("s2.sessions.idp", "bytes", 101)));
    Map<String, RowRecord> all = new LinkedHashMap<>();
    records.forEach(each -> all.put(each.row(), each));
    return all;
  }

  private static RowRecord curve(String row, String figure, double value) {
    Figure measured = Samples.rate(figure, List.of(), value, 0.95 * value, 1.02 * value);
    return Samples.measured(row(row), false, Samples.COMMIT, measured);
  }

  private static void assertGolden(String name, String text) throws IOException {
    Path file = GOLDEN.resolve(name);
    if ("write".equals(System.getProperty("golden"))) {
      Files.createDirectories(GOLDEN);
      Files.writeString(file, text);
    }
    assertThat(text).isEqualTo(Files.readString(file));
  }

  @Test
  void theReportIsAsItWas() throws IOException {
    assertGolden("REPORT.md", new ReportMarkdown(ReportTables.of(PLAN, some())).text());
    assertGolden("report.html", new ReportHtml(ReportTables.of(PLAN, some())).text());
  }

  @Test
  void theReportOfNothingFillsNothingIn() {
    String md = new ReportMarkdown(ReportTables.of(PLAN, Map.of())).text();
    assertThat(md).contains("0 of " + PLAN.rows().size() + " rows measured").contains("Nothing was measured yet.");
    assertThat(md.lines().filter(line -> line.contains(" per CPU second |"))).isEmpty();
    assertThat(md).contains("no row: no run of two weeks was made");
    String html = new ReportHtml(ReportTables.of(PLAN, Map.of())).text();
    assertThat(html).doesNotContain("<svg");
  }

  @Test
  void busyQuickAndFailedRowsAreMarked() {
    String md = new ReportMarkdown(ReportTables.of(PLAN, some())).text();
    assertThat(md)
        .contains("| client credentials | 580/s (820); 72.5/s a CPU | 3,530 per CPU second | 3,500 .. 3,560 (2) |")
        .contains("| Keycloak 405; ours 8.72 x |")
        .contains("| s3, quick, BUSY |")
        .contains("| not measured: the row failed, see below |")
        .contains("| it ended with code 1; the end of its log: slapd did not start &lt;here> \\| \"there\"")
        .contains("two points: no standard error")
        .contains("| 16 |  |  |");
  }

  @Test
  void theSettingsOfEachPeerAreInTheReport() {
    String md = new ReportMarkdown(ReportTables.of(PLAN, Map.of())).text();
    String html = new ReportHtml(ReportTables.of(PLAN, Map.of())).text();
    List<String> some =
        List.of(
            "worker_processes auto;", "keepalive 256;", "http-reuse always", "MellonEnable auth", "OIDCSessionType server-cache", "--optimized");
    for (String each : some) {
      assertThat(md).contains(each);
      assertThat(html).contains(each);
    }
  }

  @Test
  void theHtmlNeedsNothingElse() {
    String whole = new ReportHtml(ReportTables.of(PLAN, some())).text();
    // Settings of peers name addresses, and refer to nothing.
    String html = whole.replaceAll("(?s)<pre>.*?</pre>", "");
    assertThat(html)
        .doesNotContain("<script")
        .doesNotContain("http:")
        .doesNotContain("https:")
        .doesNotContain("url(")
        .doesNotContain("src=")
        .doesNotContain("@import")
        .doesNotContain("<link")
        .contains("<svg ")
        .contains("prefers-color-scheme: dark")
        .contains("slapd did not start &lt;here&gt; | &quot;there&quot;")
        .contains("class=\"fit beyond\"")
        .contains("class=\"ours busy\"");
    assertThat(html.split("<svg ", -1)).hasSameSizeAs(html.split("</svg>", -1)).hasSizeGreaterThan(4);
  }

  @Test
  void theSizingPageHasItsPartBetweenTheMarkers() throws IOException {
    String page = "# Sizing\n\nBefore.\n\n<!-- bench all: begin -->\nold\n<!-- bench all: end -->\n\nBehind.\n";
    String sized = SizingPage.replaced(page, PLAN, some());
    assertThat(sized).startsWith("# Sizing\n\nBefore.\n").endsWith("<!-- bench all: end -->\n\nBehind.\n").doesNotContain("old");
    assertThat(SizingPage.replaced(sized, PLAN, some())).isEqualTo(sized);
    assertThat(sized).contains("| 200,000 | not measured | 4.0 (extrapolated) |").contains("| 10,000 | not measured | 0.2 |");
    assertGolden("sizing.md", sized);
    assertThat(SizingPage.replaced(page, PLAN, Map.of())).contains("Nothing was measured yet").contains("| 200,000 | not measured |");
    assertThatThrownBy(() -> SizingPage.replaced("# Sizing\n", PLAN, some())).hasMessageContaining("<!-- bench all: begin -->");
  }

  @Test
  void theSizingPageMarksWhatComesFromShortRunsAlone() {
    String page = "<!-- bench all: begin -->\n<!-- bench all: end -->\n";
    Map<String, RowRecord> whole = new LinkedHashMap<>(some());
    whole.remove("s3");
    assertThat(SizingPage.replaced(page, PLAN, whole)).doesNotContain("quick");

    Map<String, RowRecord> partly = new LinkedHashMap<>(whole);
    Figure cached = Samples.rate("beside.protected-page", List.of(), 82_900);
    partly.put("s2-authorization", Samples.measured(row("s2-authorization"), true, Samples.COMMIT, cached));
    Figure people = Samples.rate("curve.people.1000", List.of(), 1_500);
    partly.put("people-1000", Samples.measured(row("people-1000"), true, Samples.COMMIT, people));
    assertThat(SizingPage.replaced(page, PLAN, partly))
        .contains("\n2 of 8 rows had a short run (`--quick`) only, ")
        .contains("| protected page from memory | 0.012 ms of CPU | `s2-authorization`, quick |")
        .contains("| protected page from an app | not measured | `s2-authorization` |")
        .contains("| session at the gateway, resident | 102 bytes | `sessions` |")
        .contains("± 0.005 | 3 of 5, 1 quick |")
        .contains("| protected pages a second | cores of gateways, from apps | from memory (quick) |")
        .contains("| sessions | memory at the gateways |");
  }

  @Test
  void theOutputsAreWrittenFromTheRecords() throws IOException {
    Records records = new Records(folder.resolve("all"));
    for (RowRecord each : some().values()) {
      records.write(each);
    }
    Path page = Files.writeString(folder.resolve("sizing.md"), "<!-- bench all: begin -->\n<!-- bench all: end -->\n");
    new Outputs(PLAN, records, folder, page).write();
    assertThat(folder.resolve("REPORT.md")).hasContent(new ReportMarkdown(ReportTables.of(PLAN, records.all())).text());
    assertThat(Files.readString(folder.resolve("report.html"))).contains("Report of all benchmarks");
    assertThat(Files.readString(page)).contains("| session at the gateway, resident | 102 bytes | `sessions` |");
    assertThat(Objects.requireNonNull(folder.toFile().list())).containsExactlyInAnyOrder("all", "REPORT.md", "report.html", "sizing.md");
  }
}
