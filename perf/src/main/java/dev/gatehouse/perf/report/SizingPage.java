package dev.gatehouse.perf.report;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.harness.Markdown;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/** The part of the sizing page that is written from the records, between two markers. */
public final class SizingPage {

  static final String BEGIN = "<!-- bench all: begin -->";
  static final String END = "<!-- bench all: end -->";

  private static final String LOGIN = "s1.sp.transient.post.http";
  private static final String PASSED_PAGE = "beside.pass-through";
  private static final String CACHED_PAGE = "beside.protected-page";
  private static final String SESSION = "s2.sessions.gateway";
  private static final String NOT = "not measured";
  private static final double UTILISATION = 0.6;
  private static final double MEGABYTE = 1 << 20;
  private static final List<Integer> LOGINS = List.of(200, 500, 650, 2_000);
  private static final List<Integer> HITS = List.of(10_000, 20_000, 40_000, 200_000);
  private static final List<Integer> SESSIONS = List.of(200_000, 300_000, 400_000, 4_000_000);

  private final Plan plan;
  private final Map<String, RowRecord> records;

  private SizingPage(Plan plan, Map<String, RowRecord> records) {
    this.plan = plan;
    this.records = records;
  }

  /** The page with its marked part written anew. */
  public static String replaced(String page, Plan plan, Map<String, RowRecord> records) {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("the sizing page has no part between " + BEGIN + " and " + END);
    }
    return page.substring(0, begin) + BEGIN + "\n" + new SizingPage(plan, records).text() + page.substring(end);
  }

  private String text() {
    return "\n" + circumstances() + "\n### What one piece of work costs\n" + costs() + "\n### How that changes with size\n\n"
        + "The exponent b of a power law: twice the size multiplies the figure by 2 to the power of b. Its standard error stands behind it.\n"
        + exponents() + "\n### Cores and memory for a load\n\nAt " + Numbers.percent(UTILISATION)
        + " of busy cores, without spare nodes. More cores than the measuring machine has are extrapolated, and taken to do as much each.\n"
        + loads() + "\n";
  }

  private String circumstances() {
    List<RowRecord> used = records.values().stream().filter(each -> !each.figures().isEmpty()).toList();
    if (used.isEmpty()) {
      return "Nothing was measured yet by `./gatehouse bench all`.\n";
    }
    String commits = String.join(", ", used.stream().map(each -> each.circumstances().commit()).distinct().toList());
    String machines = String.join("; ", used.stream().map(each -> each.circumstances().machine().processor()).distinct().toList());
    long busy = used.stream().filter(each -> each.circumstances().busy().disturbed()).count();
    return format(
            "Measured at commit %s on `%s`; %d of %d rows ran while others used the machine ([report](../../perf/results/REPORT.md)).%n",
            commits, machines, busy, used.size())
        + shortRuns(used);
  }

  private static String shortRuns(List<RowRecord> used) {
    long quick = used.stream().filter(RowRecord::quick).count();
    String sentence =
        "%d of %d rows had a short run (`--quick`) only, of nodes that are hardly warm; what comes from it is marked quick.%n";
    return quick == 0 ? "" : format(sentence, quick, used.size());
  }

  private Optional<RowRecord> seen(String figure) {
    return plan.rowOf(figure).flatMap(row -> Optional.ofNullable(records.get(row.id())));
  }

  private Optional<Figure> figure(String id) {
    return seen(id).flatMap(each -> each.figure(id));
  }

  /** Returns the mark if the figure comes from a short run, and nothing otherwise. */
  private String ifQuick(String mark, String id) {
    return figure(id).isPresent() && seen(id).filter(RowRecord::quick).isPresent() ? mark : "";
  }

  /** The name of a column that is computed from a figure. */
  private String column(String name, String id) {
    return name + ifQuick(" (quick)", id);
  }

  private Optional<Double> more(String id, String name) {
    return figure(id).flatMap(each -> Optional.ofNullable(each.more().get(name)));
  }

  /** CPU milliseconds of our processes for one operation. */
  private Optional<Double> millis(String id) {
    return figure(id).map(each -> 1000 / each.median());
  }

  private String costs() {
    Markdown table = Markdown.table("work | cost | row");
    cost(table, "login, sign-on and logout: identity provider", more(LOGIN, "CPU ms of idp"), "ms of CPU", LOGIN);
    cost(table, "the same: service provider and gateway", more(LOGIN, "CPU ms of sp"), "ms of CPU", LOGIN);
    cost(table, "the same: directory", more(LOGIN, "CPU ms of slapd"), "ms of CPU", LOGIN);
    cost(table, "login by form at the gateway, identity provider included", millis("s2.login.form"), "ms of CPU", "s2.login.form");
    cost(table, "protected page from memory", millis(CACHED_PAGE), "ms of CPU", CACHED_PAGE);
    cost(table, "protected page from an app", millis(PASSED_PAGE), "ms of CPU", PASSED_PAGE);
    cost(table, "code with login", millis("s3.code"), "ms of CPU", "s3.code");
    cost(table, "token by client credentials, RS256", millis("s3.client-credentials"), "ms of CPU", "s3.client-credentials");
    cost(table, "passcode by RADIUS, hash of the PIN aside", millis("s6.local-agent"), "ms of CPU", "s6.local-agent");
    cost(table, "session at the gateway, resident", figure(SESSION).map(Figure::median), "bytes", SESSION);
    cost(table, "session at the identity provider, resident", figure("s2.sessions.idp").map(Figure::median), "bytes", "s2.sessions.idp");
    return table.toString();
  }

  private void cost(Markdown table, String what, Optional<Double> value, String unit, String figure) {
    table.row(
        "%s | %s | `%s`%s", what, value.map(each -> Numbers.of(each) + " " + unit).orElse(NOT), plan.rowOf(figure).map(Row::id).orElse(""),
        ifQuick(", quick", figure));
  }

  private String exponents() {
    Markdown table = Markdown.table("figure | over | exponent | points");
    for (Curve curve : plan.curves()) {
      List<Curve.Seen> seen = curve.seen(records);
      long quick = seen.stream().filter(Curve.Seen::quick).count();
      String exponent =
          curve
              .fit(records)
              .map(
                  fit ->
                      format("%.3f", fit.exponent())
                          + (fit.error().isPresent() ? format(" ± %.3f", fit.error().getAsDouble()) : " (two points)"))
              .orElse(NOT);
      table.row(
          "%s | %s | %s | %d of %d%s", curve.title(), curve.xName(), exponent, seen.size(), curve.places().size(),
          quick == 0 ? "" : ", " + quick + " quick");
    }
    return table.toString();
  }

  private String loads() {
    Optional<Double> idp = more(LOGIN, "CPU ms of idp");
    Optional<Double> sp = more(LOGIN, "CPU ms of sp");
    Optional<Double> page = millis(PASSED_PAGE);
    Optional<Double> cached = millis(CACHED_PAGE);
    Optional<Double> bytes = figure(SESSION).map(Figure::median);
    String roles = column("cores of identity providers", LOGIN) + " | " + column("cores of gateways", LOGIN);
    Markdown logins = Markdown.table("logins a second, each with a logout | " + roles);
    LOGINS.forEach(each -> logins.row("%,d | %s | %s", each, cores(idp, each), cores(sp, each)));
    String pages = column("cores of gateways, from apps", PASSED_PAGE) + " | " + column("from memory", CACHED_PAGE);
    Markdown hits = Markdown.table("protected pages a second | " + pages);
    HITS.forEach(each -> hits.row("%,d | %s | %s", each, cores(page, each), cores(cached, each)));
    Markdown sessions = Markdown.table("sessions | " + column("memory at the gateways", SESSION));
    SESSIONS.forEach(each -> sessions.row("%,d | %s", each, said(bytes, value -> value * each / MEGABYTE, "%,.0f MB")));
    return logins.toString() + hits + sessions;
  }

  private String cores(Optional<Double> millis, int aSecond) {
    int measured = records.values().stream().mapToInt(each -> each.circumstances().machine().cores()).max().orElse(0);
    return millis
        .map(each -> each * aSecond / 1000 / UTILISATION)
        .map(cores -> format("%,.1f", cores) + (cores > measured ? " (extrapolated)" : ""))
        .orElse(NOT);
  }

  private static String said(Optional<Double> value, DoubleUnaryOperator of, String format) {
    return value.map(each -> format(format, of.applyAsDouble(each))).orElse(NOT);
  }
}
