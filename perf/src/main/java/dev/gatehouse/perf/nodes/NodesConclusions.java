package dev.gatehouse.perf.nodes;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.gateway.Scenario;
import dev.gatehouse.perf.harness.Figures;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Cost;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.plan.PlanPoints;
import dev.gatehouse.perf.saml.SamlCase;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What the measurements say, row by row beside what is wanted. */
record NodesConclusions(
    List<Iteration> iterations, List<ValkeyBytes> bytes, List<Gap> gaps, List<ValkeyCommands> commands) {

  private static final double WANTED_GROWTH = 1.15;
  private static final double MILLIS = 1000;
  private static final String DIRECTORY = "slapd";
  /** The logins, which have other titles at one node: there, some are by http. */
  private static final Map<Scenario, String> TITLES =
      Map.of(
          Scenario.BASIC, "login by Basic", Scenario.FORM, "login by form", Scenario.FORM_ROLE, "login by form + role policy",
          Scenario.FORM_INJECTION, "login by form + identity injection", Scenario.FORM_FILL, "login by form + form fill");

  private static final String ONE_PAGE = "\nAuthorization with one page is the login by Basic, whose page needs a role.\n";

  private static final String ONE_EMBEDDED = Front.ONE.both() + ", " + Pairs.EMBEDDED;

  String markdown() {
    return aims() + logins() + columns() + clusterRows() + byGateways();
  }

  /** Nodes of ours; what else has CPU time are the directory, the app, the balancer and the stores. */
  private static boolean isOurs(Cost cost) {
    return cost.process().startsWith("gatehouse") || isIdp(cost) || isGateway(cost);
  }

  private static boolean isIdp(Cost cost) {
    return cost.process().startsWith("idp");
  }

  private static boolean isGateway(Cost cost) {
    return cost.process().startsWith("app-") || cost.process().equals("sp");
  }

  private static double cpu(List<Iteration> rounds, Predicate<Cost> which) {
    return rounds.stream().flatMap(each -> each.costs().stream()).filter(which).mapToDouble(Cost::cpuSeconds).sum();
  }

  /** CPU seconds of one operation. */
  private static double each(List<Iteration> rounds, Predicate<Cost> which) {
    return cpu(rounds, which) / rounds.stream().mapToLong(Iteration::operations).sum();
  }

  private List<Iteration> rounds(String server, String row) {
    return Figures.of(iterations, server, row).rounds();
  }

  /** The median over pairs of rounds of what one costs in the other. */
  private OptionalDouble ratio(String server, String other, String row) {
    List<Iteration> ours = rounds(server, row);
    List<Iteration> others = rounds(other, row);
    double[] ratios = new double[Math.min(ours.size(), others.size())];
    Arrays.setAll(
        ratios, i -> each(List.of(ours.get(i)), NodesConclusions::isOurs) / each(List.of(others.get(i)), NodesConclusions::isOurs));
    Arrays.sort(ratios);
    return ratios.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((ratios[(ratios.length - 1) / 2] + ratios[ratios.length / 2]) / 2);
  }

  private String aims() {
    Markdown table = Markdown.table("work | measured | wanted | kept");
    ratio(Front.TWO.both(), Front.ONE.both(), Row.S1.word())
        .ifPresent(
            growth ->
                table.row(
                    "CPU of an S1 transaction, 2+2 in 1+1, both shared | %.3f x | at most %.2f x | %s", growth, WANTED_GROWTH,
                    yes(growth <= WANTED_GROWTH)));
    for (Row row : Row.values()) {
      if (row.isPair()) {
        ratio(Pairs.EMBEDDED, Pairs.SHARED, Pairs.load(row))
            .ifPresent(
                share ->
                    table.row(
                        "shared in embedded: %s | %.3f | at least %.2f | %s", row.title(), share, row.wanted(),
                        yes(share >= row.wanted())));
      }
    }
    for (ValkeyBytes each : bytes) {
      boolean isWanted = each.kind().equals(bytes.getFirst().kind());
      table.row(
          "bytes of a session in Valkey, %s | %,.0f (value %,.0f, order of expiries %,.0f, order of the realm %,.0f) | %s | %s",
          each.kind(), each.bytes(), each.value(), each.expiries(), each.realm(),
          isWanted ? format("at most %,.0f", ValkeyBytes.WANTED) : "reported",
          isWanted ? yes(each.bytes() <= ValkeyBytes.WANTED) : "");
    }
    gaps.forEach(
        gap ->
            table.row(
                "gap at %s | %.1f s for pages, %.1f s for other work | at most %.0f s | %s", gap.fault(), gap.page(), gap.work(),
                gap.wanted(), yes(gap.kept())));
    return "Work per CPU second of our processes; ratios are medians of pairs of alternating rounds.\n" + table + pairs();
  }

  private static String yes(boolean kept) {
    return kept ? "yes" : "**no**";
  }

  private String pairs() {
    Markdown table = costs("work, storage");
    for (Row row : Row.values()) {
      if (row.isPair()) {
        for (String storage : List.of(Pairs.EMBEDDED, Pairs.SHARED)) {
          cost(table, row.title() + ", " + storage, rounds(storage, Pairs.load(row)));
        }
      }
    }
    return table.toString();
  }

  private static Markdown costs(String first) {
    return Markdown.table(
        first + " | per CPU second of ours | CPU ms each: ours | Valkey, its replicas | PostgreSQL, its standby | balancer"
            + " | per second here | p50 ms | p99 ms");
  }

  private static void cost(Markdown table, String name, List<Iteration> rounds) {
    if (rounds.isEmpty()) {
      return;
    }
    double ours = each(rounds, NodesConclusions::isOurs);
    Iteration.Step last = rounds.getLast().steps().getLast();
    table.row(
        "%s | %,.0f | %.3f | %s | %,.0f | %.1f | %.1f", name, 1 / ours, MILLIS * ours, stores(rounds, 3), perSecond(rounds), last.p50Ms(),
        last.p99Ms());
  }

  private static double of(List<Iteration> rounds, String process) {
    return each(rounds, cost -> cost.process().equals(process));
  }

  private String logins() {
    Markdown table = costs("S1, " + ClusterRows.LOGIN.name());
    Markdown roles = Markdown.table("nodes | CPU ms each: identity providers | gateways | Valkey's commands each");
    for (String server : List.of(
        ONE_EMBEDDED, Front.ONE.both(), Front.ONE.both() + ClusterRows.FEW, Front.TWO.both(), Front.STICKY.both())) {
      List<Iteration> rounds = rounds(server, Row.S1.word());
      cost(table, server, rounds);
      if (!rounds.isEmpty()) {
        roles.row(
            "%s | %.3f | %.3f | %s", server, MILLIS * each(rounds, NodesConclusions::isIdp), MILLIS * each(rounds, NodesConclusions::isGateway),
            commands.stream().filter(each -> each.server().equals(server)).map(each -> format("%.1f", each.each())).collect(Collectors.joining()));
      }
    }
    return section("SAML login, page and logout", table.toString() + roles);
  }

  private static String section(String title, String content) {
    return content.isBlank() ? "" : "\n## " + title + "\n" + content;
  }

  /** What two machines of each role would do, if each had the CPU of this one to itself: from CPU, not measured. */
  private String columns() {
    Markdown table =
        Markdown.table(
            "case | CPU ms each: identity providers | gateways | Valkey, its replicas | PostgreSQL, its standby | balancer | directory"
                + " | TPS here | by CPU alone, 2+2 machines of 2 cores (extrapolated)");
    for (SamlCase each : ClusterRows.columns()) {
      List<Iteration> rounds = rounds(Front.TWO.both(), each.name());
      if (!rounds.isEmpty()) {
        double idp = each(rounds, NodesConclusions::isIdp);
        double gateway = each(rounds, NodesConclusions::isGateway);
        table.row(
            "%s | %.2f | %.2f | %s | %.2f | %.0f | %.0f", each.name(), MILLIS * idp, MILLIS * gateway, stores(rounds, 2),
            MILLIS * of(rounds, DIRECTORY), perSecond(rounds), 2 * 2 / Math.max(idp, gateway));
      }
    }
    return section("Columns 2+2 of S1", table.toString());
  }

  /** What the stores and the balancer have of an operation, as three columns. */
  private static String stores(List<Iteration> rounds, int digits) {
    String number = "%." + digits + "f";
    return format(
        String.join(" | ", number + ", " + number, number + ", " + number, number), MILLIS * of(rounds, SharedServers.VALKEY),
        MILLIS * each(rounds, cost -> cost.process().startsWith("valkey replica")), MILLIS * of(rounds, SharedServers.POSTGRESQL),
        MILLIS * of(rounds, "postgresql standby"), MILLIS * of(rounds, Cluster.BALANCER));
  }

  private static double perSecond(List<Iteration> rounds) {
    return rounds.stream().mapToDouble(Iteration::perSecond).average().orElse(0);
  }

  private String clusterRows() {
    Markdown table = costs("over https, nodes");
    StringBuilder ratios = new StringBuilder();
    for (Scenario scenario : Scenario.byHttps()) {
      String title = TITLES.getOrDefault(scenario, scenario.title());
      for (Front front : List.of(Front.ONE, Front.TWO, Front.STICKY)) {
        cost(table, title + ", " + front.both(), rounds(front.both(), scenario.word()));
      }
      ratio(Front.TWO.both(), Front.STICKY.both(), scenario.word())
          .ifPresent(ratio -> ratios.append(format("%nWithout stickiness: %.3f of the CPU with it, %s.%n", ratio, title)));
    }
    boolean hasBasic = iterations.stream().anyMatch(each -> each.row().equals(Scenario.BASIC.word()));
    return section("Cluster rows of S2", table.isEmpty() ? "" : table + (hasBasic ? ONE_PAGE : "") + ratios);
  }

  private String byGateways() {
    Markdown table = costs("work, gateways");
    for (String row : List.of(ClusterRows.AUTHMARK, ClusterRows.EXTRANET, ClusterRows.EXTRANET_PASSWORD)) {
      for (String server : iterations.stream().map(Iteration::server).filter(name -> name.contains("gateway")).distinct().toList()) {
        cost(table, row + ", " + server, rounds(server, row));
      }
    }
    return section("S4 and S5 by number of gateways", table.toString());
  }

  /** What the plan takes from here. */
  PlanPoints addTo(PlanPoints points, String commit) {
    Map<String, Double> costs = new HashMap<>();
    ratio(Front.ONE.both(), ONE_EMBEDDED, Row.S1.word()).ifPresent(ratio -> costs.put("login", ratio));
    ratio(Pairs.SHARED, Pairs.EMBEDDED, Pairs.load(Row.PAGE)).ifPresent(ratio -> costs.put("page", ratio));
    if (!bytes.isEmpty()) {
      costs.put("valkeyBytes", bytes.stream().mapToDouble(ValkeyBytes::bytes).sum());
    }
    for (Front front : List.of(Front.ONE, Front.TWO)) {
      List<Iteration> rounds = rounds(front.both(), Row.S1.word());
      if (!rounds.isEmpty()) {
        double seconds = seconds(rounds);
        points.point(
            "./gatehouse bench nodes --row s1, " + front.both(), commit,
            rounds.stream().mapToLong(Iteration::operations).sum() / seconds, 0,
            cpu(rounds, NodesConclusions::isIdp) / seconds, cpu(rounds, NodesConclusions::isGateway) / seconds);
        costs.put("valkeyCpu", of(rounds, SharedServers.VALKEY));
        costs.put("postgresCpu", of(rounds, SharedServers.POSTGRESQL));
      }
    }
    List<Iteration> pages = rounds(Pairs.SHARED, Pairs.load(Row.PAGE));
    if (!pages.isEmpty()) {
      double seconds = seconds(pages);
      points.point(
          "./gatehouse bench nodes --row page", commit, 0, pages.stream().mapToLong(Iteration::operations).sum() / seconds, 0,
          cpu(pages, NodesConclusions::isOurs) / seconds);
    }
    return points.costs(costs);
  }

  private static double seconds(List<Iteration> rounds) {
    return rounds.stream().mapToDouble(Iteration::seconds).sum();
  }
}
