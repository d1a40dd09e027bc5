package dev.gatehouse.perf.all;

import dev.gatehouse.perf.harness.BareSignature;
import dev.gatehouse.perf.limits.Loopback;
import dev.gatehouse.perf.oauth.BareDirectory;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Compared;
import dev.gatehouse.perf.report.Row.Length;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.Take;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The physical limits, the hot steps, and the rows of S1 and S2 that have a benchmark of their own. */
final class OtherRows {

  private static final String JMH = " -- -f 1 -wi 5 -i 5 -w 2 -r 2 -p provider=ACCP";
  private static final String QUICK_JMH = " -- -f 1 -wi 3 -i 3 -w 1 -r 1 -p provider=ACCP";
  private static final String STEPS = " SamlBenchmark.bareSignature SamlBenchmark.issue$ SamlBenchmark.consume$";

  private OtherRows() {}

  static List<Row> all() {
    return List.of(limits(), hot(), steps(), decisions(), sessions(), change(), list(), analytics());
  }

  private static Row limits() {
    List<Taken> taken = new ArrayList<>();
    for (String key : List.of("rsa-2048", "p-256")) {
      taken.add(limit("limit." + key, BareSignature.name(key), BareSignature.ROW));
    }
    taken.add(limit("limit.directory", "slapd", BareDirectory.ROW));
    taken.add(limit("limit.loopback", Loopback.SERVER, Loopback.row(Loopback.SMALL)));
    taken.add(limit("limit.loopback-14k", Loopback.SERVER, Loopback.row(Loopback.PAGE)));
    return new Row(
        "limits", "Physical limits of this machine", "limits", Length.of(2, "limits"),
        List.of(Length.of(0.7, "limits --people 1000 --rounds 3 --seconds 2")), Map.of(), taken);
  }

  private static Taken limit(String figure, String server, String row) {
    return Taken.of(figure, GatewayRows.PER_CPU, new Take.Rate(server, row));
  }

  private static Row hot() {
    List<Taken> taken = new ArrayList<>();
    for (Map.Entry<String, String> key : List.of(Map.entry("rsa", "RSA_2048"), Map.entry("p256", "P_256"))) {
      Compared limit = Compared.limit("bare signature", saml("bareSignature", key.getValue()));
      taken.add(Taken.of("hot.issue." + key.getKey(), "ops/s", saml("issue", key.getValue()), limit));
      taken.add(Taken.of("hot.consume." + key.getKey(), "ops/s", saml("consume", key.getValue())));
    }
    return new Row(
        "hot", "Hot steps of SAML by JMH", "jmh", Length.of(3, "jmh" + JMH + STEPS), List.of(Length.of(0.9, "jmh" + QUICK_JMH + STEPS)),
        Map.of(), taken);
  }

  private static Row steps() {
    List<Taken> taken = new ArrayList<>();
    taken.add(Taken.of("hot.head", "ns", gateway("requestHead")));
    taken.add(Taken.of("hot.cached-page", "ns", gateway("cachedPage")));
    taken.add(Taken.of("hot.session-find", "ns", gateway("sessionFind")));
    for (String algorithm : List.of("RS256", "ES256")) {
      String id = algorithm.toLowerCase(Locale.ROOT);
      taken.add(Taken.of("hot.token.issue." + id, "ops/s", token("issue", algorithm)));
      taken.add(Taken.of("hot.token.verify." + id, "ops/s", token("verify", algorithm)));
    }
    return new Row(
        "steps", "Hot steps of gateway and tokens by JMH", "jmh",
        Length.of(3, "jmh" + JMH + " GatewayBenchmark TokenBenchmark"), List.of(), Map.of(), taken);
  }

  private static Take gateway(String benchmark) {
    return new Take.Jmh("GatewayBenchmark." + benchmark, Map.of());
  }

  private static Take token(String benchmark, String algorithm) {
    return new Take.Jmh("TokenBenchmark." + benchmark, Map.of("algorithm", algorithm, "provider", "ACCP"));
  }

  private static Take saml(String benchmark, String key) {
    return new Take.Jmh("SamlBenchmark." + benchmark, Map.of("key", key, "provider", "ACCP"));
  }

  private static Row decisions() {
    String options = " -p size=10/10,100/10,1000/10,10000/10 DecisionBenchmark";
    List<Taken> taken = new ArrayList<>();
    taken.add(Taken.of("hot.first-decision", "ns", decision("firstDecision", 10)));
    for (int routes : CurveRows.ROUTES) {
      taken.add(Taken.of("curve.route." + routes, "ns", decision("route", routes)));
    }
    return new Row(
        "routes", "A route found, 10 to 10,000 routes, by JMH", "jmh",
        Length.of(3, "jmh -- -f 1 -wi 5 -i 5 -w 2 -r 2" + options), List.of(Length.of(1, "jmh -- -f 1 -wi 3 -i 3 -w 1 -r 1" + options)),
        Map.of(), taken);
  }

  private static Take decision(String benchmark, int routes) {
    return new Take.Jmh("DecisionBenchmark." + benchmark, Map.of("size", routes + "/10"));
  }

  private static Row sessions() {
    List<Taken> taken = new ArrayList<>();
    CurveRows.sessionFigures(1_000_000).forEach(each -> taken.add(each.inFullRuns()));
    taken.add(Taken.of("s2.sessions.gateway", "bytes", CurveRows.sessionBytes("gateway")));
    taken.add(Taken.of("s2.sessions.idp", "bytes", CurveRows.sessionBytes("identity provider")));
    taken.add(Taken.of("s1.session-memory", "bytes", CurveRows.sessionBytes("identity provider")));
    return new Row(
        "sessions", "S1 and S2: memory of a session, 1,000,000 live (quick: 100,000)", "sessions", Length.of(8, "sessions"),
        List.of(Length.of(0.4, "sessions --sessions 100000")), Map.of(), taken);
  }

  private static Row change() {
    return new Row(
        "s2-change", "S2: a change with 1,000 partners and 10,000 routes", "revisions", Length.of(3, "revisions --kills 3"),
        List.of(Length.of(0.6, "revisions --changes 4 --kills 0")), Map.of(),
        List.of(Taken.of("s2.scale.change", "s", Take.Field.of(Map.of("servesAtOnce", "true"), "seconds"))));
  }

  private static Row list() {
    return new Row(
        "s2-lists", "S2: pages of lists of 10,000", "lists", Length.of(2, "lists"), List.of(Length.of(0.6, "lists --entries 2000")), Map.of(),
        List.of(
            Taken.of(
                "s2.scale.list", "ms", Take.Field.of(Map.of("list", "partners with the state of their metadata"), "medianMillis"))));
  }

  private static Row analytics() {
    return new Row(
        "s2-analytics", "S2: live graphs at 100 logins a second for 20 minutes (quick: half a minute)", "analytics",
        Length.of(22, "analytics"),
        List.of(Length.of(1.5, "analytics --seconds 30")), Map.of(),
        List.of(Taken.of("s2.analytics", "s", Take.Field.of(Map.of(), "p50Seconds"))));
  }
}
