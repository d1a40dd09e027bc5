package dev.gatehouse.perf.all;

import dev.gatehouse.perf.harness.BareSignature;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.Row.Compared;
import dev.gatehouse.perf.report.Row.Length;
import dev.gatehouse.perf.report.Row.Taken;
import dev.gatehouse.perf.report.Selection;
import dev.gatehouse.perf.report.Selection.Part;
import dev.gatehouse.perf.report.Take;
import dev.gatehouse.perf.saml.SamlCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The rows of S1, and sign-on beside Keycloak. */
final class SamlRows {

  static final String RATIO = "x";

  private static final String OURS = "Gatehouse";
  private static final String CONSUMPTION = "SP Assertion Consumption";

  private SamlRows() {}

  static List<Row> all() {
    return List.of(cases(), people(), signOn(), web());
  }

  /** The id of a case in {@code figures.txt}. */
  static String id(String prefix, SamlCase each) {
    return String.join(
        ".", prefix, each.initiator().toString(), each.federated().toString(), each.profile().toString(), each.logout().toString())
        .toLowerCase(Locale.ROOT);
  }

  /** All sixteen in one run: its nodes are equally warm for each, which the findings need. */
  private static Row cases() {
    List<Taken> taken = new ArrayList<>();
    for (SamlCase each : SamlCase.all()) {
      taken.add(Taken.of(id("s1", each), GatewayRows.PER_CPU, new Take.Rate(OURS, each.name())));
    }
    taken.add(cost("s1.finding.persistent", "persistent", "transient"));
    taken.add(persistent("s1.persistent-difference", new Part.AllCpu()));
    taken.add(persistent("s1.persistent-difference.own", new Part.OwnCpu()));
    taken.add(cost("s1.finding.soap", "SOAP logout", "HTTP logout"));
    taken.add(cost("s1.finding.artifact", "Artifact", "POST"));
    taken.add(cost("s1.finding.idp-initiated", "IdP", "SP"));
    taken.add(ratio("s1.finding.sp-first", all(new Part.Cpu("sp")), all(new Part.Cpu("idp"))));
    List<String> post = List.of("POST");
    taken.add(
        ratio(
            "s1.finding.consumption", new Selection(OURS, post, new Part.Step(CONSUMPTION)),
            new Selection(OURS, post, new Part.SlowestBut(CONSUMPTION))));
    return new Row(
        "s1", "S1: the sixteen cases, 100,000 people", "saml", lengthOfCases(35, "--rounds 6 --seconds 15", 4),
        List.of(lengthOfCases(8.7, "--rounds 2 --seconds 8", 1)), Map.of(), taken);
  }

  /** The benchmark draws its own conclusions from the same rounds. */
  private static Length lengthOfCases(double minutes, String options, int counted) {
    return Length.of(minutes, "saml " + options + " --counted " + counted).counting(counted);
  }

  private static Taken cost(String figure, String one, String other) {
    return ratio(figure, new Selection(OURS, List.of(one), new Part.AllCpu()), new Selection(OURS, List.of(other), new Part.AllCpu()));
  }

  /** What a persistent name costs more than a transient one, in milliseconds. */
  private static Taken persistent(String figure, Part part) {
    return Taken.of(figure, "ms", new Take.Difference(OURS, "persistent", "transient", part, 1000));
  }

  static Taken ratio(String figure, Selection one, Selection other) {
    return Taken.of(figure, RATIO, new Take.Ratio(one, other));
  }

  private static Selection all(Part part) {
    return new Selection(OURS, List.of(), part);
  }

  private static Row people() {
    Take.Ratio million = logins("1000000 people", "100000 people");
    Take.Ratio hundredThousand = logins("100000 people", "1000 people");
    Taken taken = Taken.of("s1.finding.people", RATIO, new Take.First(List.of(million, hundredThousand)));
    return new Row(
        "s1-people", "S1: 100,000 and 1,000,000 people (quick: 1,000 and 100,000)", "directory",
        Length.of(15, "directory --small 100000 --large 1000000 --rounds 7 --seconds 15").counting(4),
        List.of(Length.of(1.8, "directory --rounds 6 --seconds 4").counting(4)), Map.of(), List.of(taken));
  }

  private static Take.Ratio logins(String many, String few) {
    return new Take.Ratio(
        new Selection(OURS, List.of("login", many), new Part.AllCpu()), new Selection(OURS, List.of("login", few), new Part.AllCpu()));
  }

  private static Row signOn() {
    List<Taken> taken = new ArrayList<>();
    taken.add(
        Taken.of(
            "beside.sso.rsa", GatewayRows.PER_CPU, new Take.Rate(OURS, "rsa-2048"),
            Compared.peer("Keycloak", new Take.Rate("Keycloak", "rsa-2048")), signature("rsa-2048")));
    taken.add(Taken.of("beside.sso.p256", GatewayRows.PER_CPU, new Take.Rate(OURS, "p-256"), signature("p-256")));
    return new Row(
        "sso", "Signed Responses for somebody logged in, beside Keycloak", "sso", Length.of(18, "sso"),
        List.of(Length.of(4.2, "sso --warm-up 45 --peer-warm-up 60 --rounds 2 --seconds 5")), Map.of(), taken);
  }

  static Compared signature(String key) {
    return Compared.limit(BareSignature.name(key), new Take.Rate(BareSignature.name(key), BareSignature.ROW));
  }

  private static Row web() {
    Taken taken =
        Taken.of("beside.web", GatewayRows.PER_CPU, new Take.Rate(OURS, "public page, form login, protected pages"));
    return new Row(
        "web", "Public page, form login, eleven protected pages", "web",
        Length.of(7, "web --rounds 6 --seconds 20").counting(4), List.of(), Map.of(), List.of(taken));
  }
}
