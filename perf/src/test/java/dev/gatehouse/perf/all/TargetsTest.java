package dev.gatehouse.perf.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.report.Figure;
import dev.gatehouse.perf.report.Line;
import dev.gatehouse.perf.report.Plan;
import dev.gatehouse.perf.report.ReportHtml;
import dev.gatehouse.perf.report.ReportMarkdown;
import dev.gatehouse.perf.report.ReportTables;
import dev.gatehouse.perf.report.Row.Compared;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.RowRecord;
import dev.gatehouse.perf.report.Samples;
import dev.gatehouse.perf.targets.Reading;
import dev.gatehouse.perf.targets.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is wanted beside what was measured, in the report. */
class TargetsTest {

  private static final Plan PLAN = AllRows.plan();
  private static final Path DECISIONS = Path.of("..", "docs", "decisions");

  /** A figure of another unit, or without what it is compared with, would be read as something else. */
  @Test
  void eachTargetReadsAFigureThatARowMeasures() {
    List<String> lines = Line.all().stream().map(Line::id).toList();
    for (Target each : Target.values()) {
      assertThat(lines).as(each.name()).contains(each.figure());
      Taken taken = taken(each.figure());
      String expected = each.reading() instanceof Reading.Amount(String unit) ? unit : GatewayRows.PER_CPU;
      assertThat(taken.unit()).as(each.name()).isEqualTo(expected);
      String beside = each.reading().beside();
      if (!beside.isEmpty()) {
        assertThat(taken.compared()).as(each.name()).extracting(Compared::name).contains(beside);
      }
    }
  }

  private static Taken taken(String figure) {
    return PLAN.rows().stream()
        .flatMap(row -> row.taken().stream())
        .filter(taken -> taken.figure().equals(figure))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no row measures " + figure));
  }

  @Test
  void theDecisionsThatSayWhatBoundsItAreThere() {
    for (Target each : Target.values()) {
      if (!each.decision().isEmpty()) {
        assertThat(DECISIONS.resolve(each.decision() + ".md")).exists();
      }
    }
  }

  private static Map<String, RowRecord> records(String row, boolean quick, Figure... figures) {
    return Map.of(row, Samples.measured(PLAN.row(row).orElseThrow(), quick, Samples.COMMIT, figures));
  }

  /** The target's line of the table, from "now" on. */
  private static String now(Map<String, RowRecord> records, Target target) {
    String wanted =
        String.join(" | ", "| " + target.work(), target.before(), target.text(target.least()), target.text(target.aim()), "");
    String md = new ReportMarkdown(ReportTables.of(PLAN, records)).text();
    return md.lines().filter(line -> line.startsWith(wanted)).findFirst().orElseThrow().substring(wanted.length());
  }

  private static String transaction(double rate, boolean quick) {
    return now(records("s1", quick, Samples.rate("s1.sp.transient.post.http", List.of(), rate)), Target.TRANSACTION);
  }

  @Test
  void aCostComesFromTheRate() {
    assertThat(transaction(500, false)).startsWith("2 ms | aim | s1 | [532](../../docs/decisions/0532-");
    assertThat(transaction(300, false)).startsWith("3.33 ms | at least | s1 | ");
    assertThat(transaction(177, true)).startsWith("5.65 ms | missed | s1, quick | ");
  }

  @Test
  void aDifferenceIsTheFigureItself() {
    Figure difference = Samples.figure("s1.persistent-difference", "ms", 0.1, 0.2, 0.4);
    assertThat(now(records("s1", false, difference), Target.PERSISTENT)).startsWith("0.2 ms | at least | s1 | [579]");
  }

  private static String page(double rate) {
    Figure page = Samples.rate("beside.public-page", List.of(Samples.peer("HAProxy", 1), Samples.limit("nginx", 80_000)), rate);
    return now(records("s2-pages", false, page), Target.PUBLIC_PAGE);
  }

  @Test
  void aShareIsThatOfTheLimitBesideIt() {
    assertThat(page(96_000)).startsWith("120 % | aim | s2-pages | [627]");
    assertThat(page(80_000)).startsWith("100 % | at least | s2-pages | [627]");
    assertThat(page(76_000)).startsWith("95 % | missed | s2-pages | [627]");
  }

  @Test
  void withoutAPeerThereIsNoRatio() {
    Figure beside = Samples.rate("s3.code", List.of(Samples.limit("slapd alone", 7_000), Samples.peer("Keycloak", 200)), 1_000);
    assertThat(now(records("s3", false, beside), Target.CODE_BESIDE_KEYCLOAK)).startsWith("5 x | at least | s3 | [637]");
    assertThat(now(records("s3", false, beside), Target.CODE)).startsWith("1 ms | missed | s3 | [637]");
    Figure alone = Samples.rate("s3.code", List.of(Samples.limit("slapd alone", 7_000)), 1_000);
    assertThat(now(records("s3", false, alone), Target.CODE_BESIDE_KEYCLOAK)).startsWith("not measured: no Keycloak beside it |  | s3 | ");
  }

  @Test
  void whatWasNotMeasuredIsNotJudged() {
    for (Target each : Target.values()) {
      String row = PLAN.rowOf(each.figure()).orElseThrow().id();
      assertThat(now(Map.of(), each)).as(each.name()).startsWith("not measured |  | " + row + " | ");
    }
    Map<String, RowRecord> failed = Map.of("s1", Samples.failed(PLAN.row("s1").orElseThrow(), "slapd did not start"));
    assertThat(now(failed, Target.TRANSACTION)).startsWith("not measured: the row failed, see below |  | s1 | ");
  }

  @Test
  void thePageHasTheSameTable() {
    String html = new ReportHtml(ReportTables.of(PLAN, Map.of())).text();
    assertThat(html)
        .contains("<a href=\"#wanted\">Wanted</a>")
        .contains("<td data-name=\"at least\">3.5 ms</td><td data-name=\"aim\">2.5 ms</td><td data-name=\"now\">not measured</td>")
        .contains("<a href=\"../../docs/decisions/0532-where-the-time-of-a-login-goes.md\">532</a>");
  }
}
