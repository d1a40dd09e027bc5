package dev.gatehouse.perf.sso;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.harness.BareSignature;
import dev.gatehouse.perf.harness.Charts;
import dev.gatehouse.perf.harness.Figures;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.targets.Target;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The conclusions of {@code bench sso}: figures after the warm-up, their ratios, and the warm-up itself. */
final class SsoConclusions {

  private static final String OURS = "Gatehouse";
  private static final String PEER = "Keycloak";
  private static final String RSA = "rsa-2048";
  private static final int[] SECONDS = {5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 360, 480, 600};

  private final List<Iteration> iterations;
  private final Map<String, List<Iteration>> warmUps = new LinkedHashMap<>();

  SsoConclusions(List<Iteration> iterations) {
    this.iterations = List.copyOf(iterations);
    this.warmUps.putAll(
        iterations.stream()
            .filter(each -> each.phase() == Phase.WARM_UP && each.operations() > 0)
            .collect(Collectors.groupingBy(SsoConclusions::name, LinkedHashMap::new, Collectors.toList())));
  }

  private static String name(Iteration iteration) {
    return iteration.row().equals(BareSignature.ROW) ? iteration.server() : iteration.server() + ", " + iteration.row();
  }

  String picture() {
    Map<String, List<Charts.Point>> curves = new LinkedHashMap<>();
    warmUps.forEach(
        (name, curve) -> curves.put(name, curve.stream().map(each -> new Charts.Point(each.at(), each.perCpuSecond())).toList()));
    return Charts.curves("Signed Responses per CPU second of the server", "seconds since its process was started", curves);
  }

  String markdown() {
    Map<String, Figures> rows = new LinkedHashMap<>();
    iterations.forEach(each -> rows.putIfAbsent(name(each), Figures.of(iterations, each.server(), each.row())));
    return "A person who is logged in, an unsigned AuthnRequest by Redirect, a page with a Response back: one signature. The load"
        + " comes from raw\nconnections, because Gatling would take more CPU time for a Response than its signature.\n"
        + "\n## Warm, in turns\n" + Figures.table("responses", rows) + ratios()
        + "\n## Warm-up\n\n![Warm-up](sso.svg)\n\nResponses per CPU second of the server process:\n" + warmUp();
  }

  private Figures figures(String server, String key) {
    return Figures.of(iterations, server, key);
  }

  private Markdown ratios() {
    Markdown table = Markdown.table(" | measured | wanted");
    for (String key : warmUps.keySet().stream().filter(name -> name.startsWith(OURS)).map(SsoConclusions::key).toList()) {
      Figures ours = figures(OURS, key);
      Figures bare = figures(BareSignature.name(key), BareSignature.ROW);
      boolean isEc = key.equals("p-256");
      String name = OURS + ", " + key;
      if (!bare.isEmpty() && !ours.isEmpty()) {
        double share = 100 * ours.perCpuSecond() / bare.perCpuSecond();
        table.row("%s, of the bare signature rate | %.0f %% | %s", name, share, isEc ? "" : Target.SIGN_ON_RSA.wanted());
      }
      if (isEc && !ours.isEmpty()) {
        table.row("%s, per CPU second | %,.0f | %s", name, ours.perCpuSecond(), Target.SIGN_ON_P256.wanted());
      }
      table.row("%s, from start to 80 %% of its steady rate | %s | %s", name, secondsTo(OURS, key), Target.WARM_SIGN_ON.wanted());
    }
    Figures ours = figures(OURS, RSA);
    Figures peer = figures(PEER, RSA);
    if (!ours.isEmpty() && !peer.isEmpty()) {
      table.row("Keycloak's CPU time for a Response, in ours | %.1f | 6", ours.perCpuSecond() / peer.perCpuSecond());
      table.row("the same with PostgreSQL and slapd | %.1f | ", ours.perCpuSecondOfAll() / peer.perCpuSecondOfAll());
      table.row("%s, %s, from start to 80 %% of its steady rate | %s | ", PEER, RSA, secondsTo(PEER, RSA));
    }
    return table;
  }

  private static String key(String name) {
    return name.substring(name.lastIndexOf(' ') + 1);
  }

  private Markdown warmUp() {
    Markdown table = Markdown.table("seconds since start | " + String.join(" | ", warmUps.keySet()));
    for (int second : SECONDS) {
      List<String> cells = warmUps.values().stream().map(curve -> at(curve, second)).toList();
      if (cells.stream().anyMatch(cell -> !cell.isEmpty())) {
        table.row("%d | %s", second, String.join(" | ", cells));
      }
    }
    return table;
  }

  /** The figure of the first iteration that ends at or soon after that second; empty if there is none. */
  private static String at(List<Iteration> curve, int second) {
    return curve.stream()
        .filter(each -> each.at() >= second && each.at() < second + 2 * each.seconds())
        .findFirst()
        .map(each -> format("%,.0f", each.perCpuSecond()))
        .orElse("");
  }

  /** The time at which the rate first reached 80 % of the steady rate, and did so in the next iteration as well. */
  private String secondsTo(String server, String key) {
    double wanted = 0.8 * figures(server, key).perSecond();
    List<Iteration> curve = warmUps.getOrDefault(server + ", " + key, List.of());
    for (int i = 0; i + 1 < curve.size(); i++) {
      if (curve.get(i).perSecond() >= wanted && curve.get(i + 1).perSecond() >= wanted) {
        return format("%.0f s", curve.get(i).at());
      }
    }
    return "not reached";
  }
}
