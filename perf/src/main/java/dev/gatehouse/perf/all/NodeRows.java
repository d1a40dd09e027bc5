package dev.gatehouse.perf.all;

import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Length;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.Selection;
import dev.gatehouse.perf.report.Selection.Part;
import dev.gatehouse.perf.report.Take;
import dev.gatehouse.perf.saml.SamlCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The rows of several nodes with shared storage, by {@code bench nodes}. */
final class NodeRows {

  /** The most gateways that it starts. */
  static final int MOST = 4;

  private static final String TWO = "2+2";

  private NodeRows() {}

  static List<Row> all() {
    return List.of(saml(), stickiness(), gaps(), authmark());
  }

  private static Row row(String id, String title, Length full, Length quick, List<Taken> taken) {
    return new Row(id, title, "nodes", full, List.of(quick), Map.of(), taken);
  }

  private static Row saml() {
    List<Taken> taken = new ArrayList<>();
    for (SamlCase each : SamlCase.all()) {
      taken.add(Taken.of(SamlRows.id("s1.two", each), GatewayRows.PER_CPU, new Take.Rate(TWO, each.name())));
    }
    taken.add(SamlRows.ratio("s1.finding.two", own(TWO, "s1"), own("1+1", "s1")));
    return row(
        "s1-nodes", "S1 at 2+2 nodes, shared storage", Length.of(32, "nodes --row s1,s1-columns --warm-up 90 --rounds 5 --seconds 15"),
        Length.of(10, "nodes --row s1,s1-columns --quick"), taken);
  }

  private static Selection own(String server, String row) {
    return new Selection(server, List.of(row), new Part.OwnCpu());
  }

  /** Of all scenarios these are enough, so that nodes are warm with more than the form. */
  private static Row stickiness() {
    String scenarios = "nodes --row s2 --scenario s2-basic,s2-form,s2-form-role,s2-ten-pages";
    return row(
        "s2-nodes", "S2 at 2+2 nodes, with and without stickiness", Length.of(6, scenarios + " --rounds 5"),
        Length.of(5.2, scenarios + " --quick"),
        List.of(SamlRows.ratio("s2.stickiness", own(TWO, "s2-form"), own(TWO + ", sticky", "s2-form"))));
  }

  private static Row gaps() {
    return row(
        "s2-gap", "S2: service while a node or a store is killed", Length.of(5, "nodes --row gap"), Length.of(2.5, "nodes --row gap"),
        List.of(
            gap("s2.failure.node", "kill -9 of a node"),
            gap("s2.failure.valkey", "kill -9 of the Valkey primary; Sentinels promote a replica"),
            gap("s2.failure.postgresql", "kill -9 of the PostgreSQL primary; its synchronous standby is promoted after 1 s")));
  }

  private static Taken gap(String figure, String fault) {
    return Taken.of(figure, "s", Take.Field.of(Map.of("fault", fault), "work"));
  }

  /** The name of that many gateways in its report. */
  static String gateways(int number) {
    return number + " gateway" + (number == 1 ? "" : "s");
  }

  private static Row authmark() {
    List<Taken> taken = new ArrayList<>();
    for (int number = 1; number <= MOST; number++) {
      String server = gateways(number);
      taken.add(Taken.of("s4.login.nodes." + number, GatewayRows.PER_CPU, new Take.Rate(server, "s4-login")));
      taken.add(Taken.of("s5.session.nodes." + number, GatewayRows.PER_CPU, new Take.Rate(server, "s5-cookie")));
      taken.add(Taken.of("s5.password.nodes." + number, GatewayRows.PER_CPU, new Take.Rate(server, "s5-password")));
    }
    return row(
        "s4-s5-nodes", "S4 and S5 at one to four gateways, shared storage", Length.of(16, "nodes --row s4-s5 --rounds 5"),
        Length.of(5.5, "nodes --row s4-s5 --quick"), taken);
  }
}
