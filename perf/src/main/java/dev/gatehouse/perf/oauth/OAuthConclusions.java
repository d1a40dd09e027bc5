package dev.gatehouse.perf.oauth;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.harness.BareSignature;
import dev.gatehouse.perf.harness.Figures;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Markdown;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The conclusions of {@code bench oauth}. */
final class OAuthConclusions {

  private static final int WANTED_SHARE = 75;
  private static final int WANTED_BYTES = 300;
  private static final String DIRECTORY = "slapd";
  private static final String OURS = "Gatehouse";
  private static final String PEER = "Keycloak";

  private final List<Iteration> iterations;
  private final List<RefreshMemory> memory;

  OAuthConclusions(List<Iteration> iterations, List<RefreshMemory> memory) {
    this.iterations = List.copyOf(iterations);
    this.memory = List.copyOf(memory);
  }

  /** The CPU time of Keycloak's process in units of ours, by flow. */
  Map<String, Map<String, Double>> ratios() {
    Map<String, Map<String, Double>> ratios = new LinkedHashMap<>();
    for (Flow flow : Flow.values()) {
      if (!figures(OURS, flow).isEmpty() && !figures(PEER, flow).isEmpty()) {
        ratios.put(flow.title(), Map.of("times as much", ratio(flow)));
      }
    }
    return ratios;
  }

  private double ratio(Flow flow) {
    return figures(OURS, flow).perCpuSecond() / figures(PEER, flow).perCpuSecond();
  }

  private Figures figures(String server, Flow flow) {
    return Figures.of(iterations, server, flow.word());
  }

  String markdown() {
    return """
        All with the embedded durable stores, audit log on, people in slapd; Keycloak with PostgreSQL and the same
        slapd, the same algorithms, refresh tokens that rotate; by plain HTTP/1.1 with connections kept. CPU seconds are
        those of the server's process, as the operating system counts them, both warm, in turns. The load of these rows
        comes from raw connections, because Gatling would take more CPU time for most of these requests than the server.

        ## What was wanted
        """
        + goals() + share() + figures(OURS) + figures(PEER) + simulations() + bare();
  }

  private Markdown goals() {
    Markdown table =
        Markdown.table(
            "flow | per CPU second | wanted | in Keycloak's | wanted | per second | report of 2017, 8 cores");
    for (Flow flow : Flow.values()) {
      Figures ours = figures(OURS, flow);
      if (!ours.isEmpty()) {
        Flow.Wanted wanted = flow.wanted();
        String ratio = figures(PEER, flow).isEmpty() ? "" : format("%.1fx", ratio(flow));
        table.row(
            "%s | %,.0f | %s | %s | %s | %,.0f | %s",
            flow.title(), ours.perCpuSecond(), wanted(wanted, ours), ratio, wanted.timesPeer(), ours.perSecond(),
            wanted.published() == 0 ? "" : wanted.published());
      }
    }
    return table;
  }

  private static String wanted(Flow.Wanted wanted, Figures ours) {
    return wanted.cost().map(cost -> cost.wanted() + "; is " + cost.text(ours.cpuMillis())).orElse(wanted.rate());
  }

  private String share() {
    StringBuilder md = new StringBuilder();
    Figures rsa = figures(OURS, Flow.CLIENT_CREDENTIALS_RS256);
    Figures bare = Figures.of(iterations, BareSignature.name("rsa-2048"), BareSignature.ROW);
    if (!rsa.isEmpty() && !bare.isEmpty()) {
      double share = 100 * rsa.perCpuSecond() / bare.perCpuSecond();
      md.append(
          format("%nClient credentials by RS256: %.0f %% of the bare signature rate; wanted: %d %%.%n", share, WANTED_SHARE));
    }
    for (RefreshMemory each : memory) {
      md.append(
          format(
              "%n%,d refresh tokens that wait take %.0f bytes of heap each, and %.0f on disk; wanted: %d.%n",
              each.tokens(), each.heapEach(), each.diskEach(), WANTED_BYTES));
    }
    return md.toString();
  }

  private String figures(String server) {
    Map<String, Figures> rows = new LinkedHashMap<>();
    for (Flow flow : Flow.values()) {
      rows.put(flow.title(), figures(server, flow));
    }
    String table = Figures.table("flow", rows);
    return table.isEmpty() ? "" : "\n## " + server + "\n" + table;
  }

  private String simulations() {
    Markdown table = Markdown.table("flow | per second | p50 ms | p99 ms | CPU ms each: idp | slapd | report of 2017, 8 cores");
    for (Flow flow : Flow.values()) {
      for (Iteration seen : Figures.of(iterations, OURS, flow.simulationRow()).rounds()) {
        Iteration.Step step = seen.steps().getLast();
        double slapd = 1000 * seen.cpuSeconds(DIRECTORY) / seen.operations();
        table.row(
            "%s | %,.0f | %.2f | %.2f | %.3f | %.3f | %d",
            flow.title(), seen.perSecond(), step.p50Ms(), step.p99Ms(), 1000 / seen.perCpuSecond(), slapd,
            flow.wanted().published());
      }
    }
    return table.isEmpty()
        ? ""
        : "\n## FIGURES S3 by Gatling\n\nA closed injection profile without think time, each user another person. Gatling takes"
            + " CPU time of the same machine:\ncompare CPU ms, not the flows per second with those of raw connections.\n" + table;
  }

  private String bare() {
    Markdown table = Markdown.table(" | per CPU second");
    for (String key : List.of("rsa-2048", "p-256")) {
      Figures bare = Figures.of(iterations, BareSignature.name(key), BareSignature.ROW);
      if (!bare.isEmpty()) {
        table.row("%s | %,.0f", BareSignature.name(key), bare.perCpuSecond());
      }
    }
    Figures directory = Figures.of(iterations, DIRECTORY, BareDirectory.ROW);
    if (!directory.isEmpty()) {
      table.row("%s, per CPU second of slapd | %,.0f", BareDirectory.ROW, directory.perCpuSecond());
    }
    for (String server : List.of(OURS, PEER)) {
      for (Flow flow : Flow.values()) {
        Figures figures = figures(server, flow);
        if (flow.isLogin() && !figures.isEmpty()) {
          table.row("%s at %s, per CPU second of slapd | %,.0f", flow.title(), server, figures.perCpuSecondOf(DIRECTORY));
        }
      }
    }
    return table.isEmpty() ? "" : "\n## Bare, in the same rounds\n" + table;
  }
}
