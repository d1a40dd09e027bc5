package dev.gatehouse.perf.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.gateway.Scenario;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Cost;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Iteration.Step;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodesConclusionsTest {

  private static Iteration iteration(double seconds, double factor) {
    return iteration("2+2", ClusterRows.LOGIN.name(), seconds, factor);
  }

  private static Iteration iteration(String server, String row, double seconds, double factor) {
    List<Cost> costs =
        List.of(
            cost("idp-0", 0.5 * factor), cost("idp-1", 0.3 * factor), cost("app-0", 0.4 * factor), cost("app-1", 0.6 * factor),
            cost("slapd", 0.07 * factor), cost("haproxy", 0.11 * factor), cost("postgresql", 0.06 * factor),
            cost("postgresql standby", 0.02 * factor), cost("valkey", 0.2 * factor), cost("valkey replica 1", 0.05 * factor),
            cost("valkey replica 2", 0.04 * factor));
    return new Iteration(
        server, row, Phase.MEASUREMENT, 100, seconds, 100, List.of(new Step("all", 100, 0, 1, 1, 1, 1, 1)), costs, false);
  }

  private static Cost cost(String process, double cpuSeconds) {
    return new Cost(process, cpuSeconds, 1);
  }

  @Test
  void aColumnTellsTheCpuOfEveryProcess() {
    String report = new NodesConclusions(List.of(iteration(2, 1), iteration(4, 3)), List.of(), List.of(), List.of()).markdown();
    assertThat(report)
        .contains(
            "| case | CPU ms each: identity providers | gateways | Valkey, its replicas | PostgreSQL, its standby | balancer | directory"
                + " | TPS here | by CPU alone, 2+2 machines of 2 cores (extrapolated) |")
        .contains("| " + ClusterRows.LOGIN.name() + " | 16.00 | 20.00 | 4.00, 1.80 | 1.20, 0.40 | 2.20 | 1.40 | 38 | 200 |");
  }

  @Test
  void rowsOfS2StandBesideThoseOfStickyBrowsers() {
    List<Iteration> iterations =
        Scenario.byHttps().stream()
            .flatMap(
                each ->
                    Stream.of(
                        iteration("1+1", each.word(), 2, 1), iteration("2+2", each.word(), 2, 1),
                        iteration("2+2, sticky", each.word(), 2, 2)))
            .toList();
    String report = new NodesConclusions(iterations, List.of(), List.of(), List.of()).markdown();
    for (String nodes : List.of("1+1", "2+2", "2+2, sticky")) {
      String end = ", " + nodes + " | ";
      assertThat(
              report.lines().filter(line -> line.contains(end)).map(line -> line.substring("| ".length(), line.indexOf(end))).toList())
          .containsExactly(
              "HTTPS public, requests", "HTTPS public, one page (51 requests) a connection",
              "HTTPS public, 10 pages (510 requests) a connection", "login by Basic", "login by form", "login by form + role policy",
              "login by form + identity injection", "login by form + form fill", "authorization, 10 pages, logins included");
    }
    assertThat(report)
        .contains("Authorization with one page is the login by Basic")
        .contains("Without stickiness: 0.500 of the CPU with it, login by form + form fill.");
  }
}
