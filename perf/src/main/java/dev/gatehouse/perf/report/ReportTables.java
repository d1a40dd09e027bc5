package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.targets.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What both forms of the report say, as text. */
public record ReportTables(Plan plan, Map<String, RowRecord> records, List<Section> sections) {

  private static final List<String> NAMES =
      List.of(
          "S1", "SAML2 federation (Sun Access Manager 7, 2007; 14 cores at 1.2 GHz, 28 for 2+2)",
          "S2", "Identity server and access gateway (NetIQ Access Manager 4.2 and 4.3, 2015-2017; 32 CPUs)",
          "S3", "OAuth 2.0 (NetIQ 4.3, 8 cores; Keycloak beside ours)",
          "S4", "AuthMark Login (SelectAccess 3.1, 2001)",
          "S5", "AuthMark Extranet (SelectAccess 3.1; Tivoli Access Manager 3.8, 2002)",
          "S6", "One-time-password realm (RSA ACE/Server 6.0, 2005)",
          "LIMIT", "Physical limits of this machine",
          "BESIDE", "Beside peers, and what the published reports do not have",
          "HOT", "Hot steps (JMH)",
          "TAILS", "How long callers wait",
          "WARM", "How soon a node is fast",
          "MEMORY", "What a node holds");

  /** The lines of one published report, or of our own. */
  record Section(String id, String title, List<Entry> entries) {}

  /** One row of the plan: how it ran. */
  static final List<String> ROW_HEADER =
      List.of("row", "state", "command", "commit", "began", "minutes", "load of others", "RSA signatures before, after", "complaints");

  public static ReportTables of(Plan plan, Map<String, RowRecord> records) {
    Map<String, List<Entry>> sections = new LinkedHashMap<>();
    for (Line line : Line.all()) {
      String row = plan.rowOf(line.id()).map(Row::id).orElse("");
      sections
          .computeIfAbsent(line.section(), section -> new ArrayList<>())
          .add(new Entry(line, row, Optional.ofNullable(records.get(row))));
    }
    List<Section> all = new ArrayList<>();
    sections.forEach((id, entries) -> all.add(new Section(id, title(id), List.copyOf(entries))));
    return new ReportTables(plan, records, List.copyOf(all));
  }

  private static String title(String id) {
    int at = NAMES.indexOf(id);
    return at < 0 ? id : NAMES.get(at + 1);
  }

  /** What is measured at all, in one sentence each. */
  List<String> head() {
    List<String> head = new ArrayList<>();
    List<RowRecord> seen = List.copyOf(records.values());
    head.add(
        Markdown.format(
            "%d of %d rows measured, %d partly, %d failed, %d not measured; %d ran while others used the machine (BUSY).",
            number(RowRecord.State.MEASURED), plan.rows().size(), number(RowRecord.State.PARTLY), number(RowRecord.State.FAILED),
            plan.rows().stream().filter(row -> !records.containsKey(row.id())).count(),
            seen.stream().filter(each -> each.circumstances().busy().disturbed()).count()));
    List<String> commits = seen.stream().map(each -> each.circumstances().commit()).distinct().toList();
    head.add(commits.isEmpty() ? "Nothing was measured yet." : "Commit " + String.join(", ", commits) + ".");
    seen.stream().map(each -> each.circumstances().machine()).distinct().map(Machine::toString).forEach(machine -> head.add(machine + "."));
    return head;
  }

  private long number(RowRecord.State state) {
    return records.values().stream().filter(each -> each.state() == state).count();
  }

  /** How to read it. */
  static List<String> explanations() {
    return List.of(
        "Ours is the median of the rounds. A rate is per CPU second of our own processes, so that the load generator and the servers beside"
            + " them, which share this machine, do not count; \"a second here\" is what the whole machine did.",
        "Published figures are of other machines, 10 to 25 years old. \"A CPU\" is the one of them that is best for a CPU, divided by the CPUs of the"
            + " servers that did the work.",
        "Peers and limits were measured in the same run, in turns with ours, per CPU second of their process.",
        "BUSY: the hypervisor took more than 2 % of the time, or processes that do not belong to the row more than 5 %. Read such a row"
            + " with doubt.",
        "How peers are set up stands at the end.",
        "quick: shorter rounds and warm-up, and fewer people or entries where the row's command says so. Peers are not warm then, since they gain"
            + " speed for minutes: a quick row flatters ours beside Keycloak.",
        "Not measured is never filled in.");
  }

  /** How to read {@link #judged}. */
  static final String WANTED =
      "A cost is the CPU of our own processes for one piece of work, without load generator, directory and app; only what persistent"
          + " names cost more has the directory in it. A share or ratio is that of the limit or peer beside it in the same run. Before:"
          + " commit b08d078, as it was measured then. Waiting times (at most 5 means) stand in TAILS, and what grows within an hour in"
          + " MEMORY. That nothing else lost more than 3 % is what each benchmark's option --against measures, not this run.";

  /** What is wanted, beside what was measured. */
  List<Judged> judged() {
    Map<String, Entry> entries = new HashMap<>();
    sections.forEach(section -> section.entries().forEach(each -> entries.put(each.line().id(), each)));
    return Arrays.stream(Target.values())
        .map(each -> new Judged(each, Objects.requireNonNull(entries.get(each.figure()), each.figure())))
        .toList();
  }

  /** How each row of the plan ran. */
  List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    for (Row row : plan.rows()) {
      RowRecord seen = records.get(row.id());
      if (seen == null) {
        rows.add(List.of(row.id(), "not measured", row.command(false), "", "", "", "", "", ""));
        continue;
      }
      Circumstances at = seen.circumstances();
      String complaints = String.join("; ", seen.complaints());
      rows.add(
          List.of(
              row.id(), seen.state().name().toLowerCase(Locale.ROOT) + (seen.quick() ? ", quick" : ""), seen.command(), at.commit(),
              at.began().toString().replaceFirst("\\.\\d+Z", "Z"), Markdown.format("%.1f", at.minutes()), at.busy().toString(),
              Numbers.of(at.signaturesBefore()) + ", " + Numbers.of(at.signaturesAfter()),
              seen.reason().isEmpty() ? complaints : complaints.isEmpty() ? seen.reason() : seen.reason() + "; " + complaints));
    }
    return rows;
  }

  /** What a curve says. */
  String words(Curve curve) {
    List<Curve.Seen> seen = curve.seen(records);
    String places = seen.size() + " of " + curve.places().size() + " points measured";
    Optional<Fit> fit = curve.fit(records);
    if (fit.isEmpty()) {
      return (seen.isEmpty() ? "not measured" : places) + "; no exponent.";
    }
    String error =
        fit.get().error().isPresent() ? Markdown.format(" ± %.3f", fit.get().error().getAsDouble()) : " (two points: no standard error)";
    return places + Markdown.format("; %s ~ %s^%.3f", "y", "x", fit.get().exponent()) + error + "."
        + (curve.extrapolated().isEmpty() ? "" : " More " + curve.xName() + " are extrapolated by it, not measured.");
  }

  static final List<String> CURVE_HEADER = List.of("x", "measured", "lowest .. highest", "by the fit", "");

  /** The points of a curve: measured ones, and extrapolated ones marked. */
  List<List<String>> points(Curve curve) {
    List<List<String>> points = new ArrayList<>();
    List<Curve.Seen> seen = curve.seen(records);
    Optional<Fit> fit = curve.fit(records);
    for (Curve.Place place : curve.places()) {
      Optional<Curve.Seen> at = seen.stream().filter(each -> each.x() == place.x()).findFirst();
      points.add(
          List.of(
              Numbers.size(place.x()), at.map(each -> Numbers.of(each.y())).orElse("not measured"),
              at.map(each -> Numbers.of(each.lowest()) + " .. " + Numbers.of(each.highest())).orElse(""),
              fit.map(each -> Numbers.of(each.at(place.x()))).orElse(""), at.filter(Curve.Seen::disturbed).map(each -> "BUSY").orElse("")));
    }
    if (fit.isPresent()) {
      curve.extrapolated().forEach(x -> points.add(List.of(Numbers.size(x), "", "", Numbers.of(fit.get().at(x)), "extrapolated")));
    }
    return points;
  }
}
