package dev.gatehouse.perf.all;

import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Length;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.Take;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How long callers wait, how soon a node is fast, and what it holds: what no published report has. */
final class TailRows {

  /** The words of {@code bench tails --work}. */
  static final List<String> WORK =
      List.of(
          "client-credentials-rs256", "client-credentials-es256", "userinfo", "tokeninfo", "introspection", "refresh", "par", "password",
          "code-with-session", "code-with-login", "sign-on", "form-login", "form-login-and-logout", "cached-page", "pass-through");

  static final List<Integer> CALLERS = List.of(16, 64, 256);
  static final List<Integer> LOADS = List.of(50, 80);

  private static final String OURS = "Gatehouse";

  private TailRows() {}

  static List<Row> all() {
    return List.of(tails(), warmUp(), memory(), soak());
  }

  private static Row tails() {
    List<Taken> taken = new ArrayList<>();
    for (String work : WORK) {
      for (int callers : CALLERS) {
        taken.add(Taken.of("tails." + work + "." + callers, "means", new Take.Times(OURS, work + ", " + callers + " callers", true)));
      }
      for (int percent : LOADS) {
        taken.add(Taken.of("tails." + work + ".load-" + percent, "ms", new Take.Times(OURS, work + ", " + percent + " % load", false)));
      }
    }
    return new Row("tails", "How long callers wait", "tails", Length.of(32, "tails"), List.of(), Map.of(), taken);
  }

  private static Row warmUp() {
    List<Taken> taken = new ArrayList<>();
    for (String work : List.of("sign-on", "code-with-session", "pass-through")) {
      taken.add(Taken.of("warm.up." + work, "s", Take.Field.of(Map.of("work", work, "reached", "true"), "seconds")));
    }
    return new Row("warm-up", "How soon a node is fast", "warm-up", Length.of(12, "warm-up"), List.of(), Map.of(), taken);
  }

  private static Row memory() {
    List<Taken> taken =
        List.of(
            Taken.of("memory.demo", "MB", Take.Field.of(Map.of("node", "demo, idle"), "residentMb")),
            Taken.of("memory.million", "MB", Take.Field.of(Map.of("node", "sessions"), "residentMb")),
            Taken.of("memory.million.rate", "x", Take.Field.of(Map.of("node", "sessions"), "rateInThatBefore")));
    return new Row("memory", "What a node holds", "memory", Length.of(25, "memory"), List.of(), Map.of(), taken);
  }

  private static Row soak() {
    List<Taken> taken = new ArrayList<>();
    for (String what : List.of("heap", "resident", "files", "threads", "keys", "other")) {
      taken.add(Taken.of("memory.soak." + what, "% an hour", Take.Field.of(Map.of("what", what), "percentAnHour")));
    }
    // In an hour these are not full: a share of their mean would say nothing.
    for (String what : List.of("rocksdb", "database")) {
      taken.add(Taken.of("memory.soak." + what, "MB an hour", Take.Field.of(Map.of("what", what), "anHour")));
    }
    taken.add(Taken.of("memory.soak.marks", "keys an hour", Take.Field.of(Map.of("what", "marks"), "anHour")));
    taken.add(Taken.of("memory.soak.logs", "bytes", Take.Field.of(Map.of("what", "logs"), "bytesAnOperation")));
    return new Row("soak", "An hour of everything at 70 % load", "soak", Length.of(75, "soak"), List.of(), Map.of(), taken);
  }
}
