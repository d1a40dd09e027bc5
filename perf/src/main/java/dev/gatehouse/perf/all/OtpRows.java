package dev.gatehouse.perf.all;

import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Length;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.Selection;
import dev.gatehouse.perf.report.Selection.Part;
import dev.gatehouse.perf.report.Take;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The rows of S6, by {@code bench otp}, {@code otp-servers}, {@code audit} and {@code console}. */
final class OtpRows {

  private static final String ASIDE = "Gatehouse, PIN hash aside";
  private static final String SECONDS = "s";

  private OtpRows() {}

  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    rows.add(authentications());
    rows.add(offline());
    rows.add(log());
    rows.add(imported("5k", 5_000, List.of(importOf(0.3, 5_000))));
    rows.add(imported("50k", 50_000, List.of()));
    rows.add(pushed("50k", "--people 50000 --uses 10000", List.of()));
    rows.add(pushed("100k", "--people 100000", List.of(Length.of(1.5, "otp-servers --people 100000 --changes 100 --uses 4000"))));
    rows.add(pushed("500k", "--people 500000", List.of()));
    rows.add(audit());
    rows.add(administrators());
    return List.copyOf(rows);
  }

  private static Row authentications() {
    String some = ", 100,000 people";
    List<Taken> taken = new ArrayList<>();
    taken.add(aside("s6.local-agent", "RADIUS PAP" + some));
    taken.add(Taken.of("s6.local-agent.hashed", GatewayRows.PER_CPU, new Take.Rate("Gatehouse", "RADIUS PAP, 10,000 people")));
    taken.add(aside("s6.domain-agent", "REST by certificate" + some));
    taken.add(aside("s6.assertion", "REST by assertion" + some));
    taken.add(
        Taken.of(
            "s6.cross-realm", GatewayRows.PER_CPU,
            new Take.Rate("Two realms, PIN hash aside", "Cross-realm, REST by certificate" + some)));
    taken.add(SamlRows.ratio("s6.size", radius("1,000,000 people"), radius("100,000 people")).inFullRuns());
    taken.add(Taken.of("s6.bytes", "bytes", Take.Field.of(Map.of("way", "radius"), "bytesEach")));
    return new Row(
        "s6", "S6: authentications by number of people", "otp",
        Length.of(35, "otp --way pin-hash,radius,certificate,assertion,visitors --people 100000,1000000 --rounds 5 --seconds 10"),
        List.of(Length.of(8.5, "otp --way pin-hash,radius,certificate,assertion,visitors --short")), Map.of(), taken);
  }

  private static Row offline() {
    List<Taken> taken = new ArrayList<>();
    for (Map.Entry<String, Integer> days : List.of(Map.entry("one-day", 1), Map.entry("three-days", 3), Map.entry("thirty-days", 30))) {
      taken.add(aside("s6.offline." + days.getKey(), "REST and " + days.getValue() + " offline days, 100,000 people"));
    }
    taken.add(aside("s6.offline.log", "REST and a report of offline days, 100,000 people"));
    taken.add(Taken.of("s6.offline.bytes", "bytes", Take.Field.of(Map.of("way", "offline-1"), "bytesEach")));
    String options = "otp --way offline-1,offline-3,offline-30,offline-log --people 100000 ";
    return new Row(
        "s6-offline", "S6: authentications with offline days", "otp", Length.of(12, options + "--rounds 5 --seconds 10"),
        List.of(Length.of(6.6, options + "--warm-up 8 --rounds 2 --seconds 5")), Map.of(), taken);
  }

  /** The first tenth, and the rest, of a log of so many events is archived and removed. */
  private static Row log() {
    List<Taken> taken =
        List.of(
            Taken.of("s6.audit.remove", SECONDS, Take.Field.of(Map.of("events", "1000000"), "tenthSeconds")),
            Taken.of("s6.audit.remove-all", SECONDS, Take.Field.of(Map.of("events", "1000000"), "restSeconds")));
    return new Row(
        "s6-log", "S6: the log is archived and removed", "otp", Length.of(3, "otp --way log"), List.of(Length.of(0.3, "otp --way log")),
        Map.of(), taken);
  }

  private static Taken aside(String figure, String row) {
    return Taken.of(figure, GatewayRows.PER_CPU, new Take.Rate(ASIDE, row));
  }

  private static Selection radius(String people) {
    return new Selection(ASIDE, List.of("RADIUS PAP", people), new Part.OwnCpu());
  }

  private static Length importOf(double minutes, int people) {
    return Length.of(minutes, "otp --way people --import " + people);
  }

  private static Row imported(String name, int people, List<Length> quick) {
    List<Taken> taken = new ArrayList<>(List.of(Taken.of("s6.import." + name, SECONDS, importTime(people, "first"))));
    if (name.equals("50k")) {
      taken.add(Taken.of("s6.import.again", SECONDS, importTime(people, "nothing")));
    }
    return new Row(
        "s6-import-" + name, "S6: import of " + name + " people from LDAP", "otp", importOf(3, people), quick, Map.of(), taken);
  }

  private static Take importTime(int people, String field) {
    return Take.Field.of(Map.of("people", Integer.toString(people)), field);
  }

  private static Row pushed(String name, String options, List<Length> quick) {
    List<Taken> taken = new ArrayList<>();
    taken.add(Taken.of("s6.push." + name, SECONDS, Take.Field.of(Map.of(), "pushSeconds")));
    if (name.equals("100k")) {
      taken.add(Taken.of("s6.new-people", SECONDS, Take.Field.of(Map.of(), "newPeopleSeconds")));
      taken.add(Taken.of("s6.change", SECONDS, Take.Field.of(Map.of(), "changeP99")));
      taken.add(Taken.of("s6.replication-bytes", "bytes", Take.Field.of(Map.of(), "batched")));
      taken.add(Taken.of("s6.nominate", SECONDS, Take.Field.of(Map.of(), "nominationSeconds")));
    }
    return new Row(
        "s6-servers-" + name, "S6: a replica, " + name + " people", "otp-servers", Length.of(4, "otp-servers " + options), quick,
        Map.of(), taken);
  }

  private static Row audit() {
    List<Taken> taken =
        List.of(
            Taken.of("s2.audit-disk", "bytes", new Take.Field(Map.of(), List.of("logBytes"), "events", 1)),
            Taken.of("s6.audit.search", "ms", Take.Field.of(Map.of(), "medianMillis")));
    return new Row(
        "s6-audit", "S2 and S6: the audit log, 10,000,000 events (quick: 500,000)", "audit", Length.of(8, "audit"),
        List.of(Length.of(0.3, "audit --events 500000 --days 5")), Map.of(), taken);
  }

  private static Row administrators() {
    return new Row(
        "s6-administrators", "S6: 500 sessions of administrators at once", "console", Length.of(4, "console"),
        List.of(Length.of(1, "console --entries 1000 --seconds 15")), Map.of(),
        List.of(Taken.of("s6.administrators", "ms", Take.Field.of(Map.of("sessions", "500"), "p99Millis"))));
  }
}
