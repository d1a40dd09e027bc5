package dev.gatehouse.perf.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.gatehouse.perf.plan.Costs.SessionBytes;
import dev.gatehouse.perf.plan.Wish.Storage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlanTest {

  private static final Path RESULTS = Path.of("results");

  /** A login takes 2 ms at either side, a page 10 µs, a session 100 bytes and 1,000 on disk. */
  private static final Costs COSTS =
      new Costs(0.002, 0.002, 0.0005, 0.000_01, 0.000_02, new SessionBytes(100, 1000), new SessionBytes(100, 800), List.of());

  @TempDir Path folder;

  private record Run(int exit, String out, String err) {}

  @Test
  void nodesCarryTheLoadWhileTheSpareOnesAreMissing() {
    Plan plan = Plan.of(wish(2000, 500_000, 8, 0.6, 2, Storage.EMBEDDED), COSTS, SharedCosts.read(folder));
    assertThat(plan.idpCpu()).isCloseTo(4, within(1e-9));
    assertThat(plan.gatewayCpu()).isCloseTo(4 + 5, within(1e-9));
    assertThat(plan.directoryCpu()).isCloseTo(1, within(1e-9));
    // 4 / 4.8 and 9 / 4.8, rounded up, and two spare.
    assertThat(plan.idpNodes()).isEqualTo(3);
    assertThat(plan.gatewayNodes()).isEqualTo(4);
    assertThat(plan.bitsPerSecond()).isEqualTo(500_000.0 * 14_000 * 8);
  }

  @Test
  void embeddedSessionsAreSpreadAndOfSharedOnesANodeKeepsSomeNear() throws IOException {
    near();
    Plan embedded = Plan.of(wish(2000, 0, 8, 0.6, 1, Storage.EMBEDDED), COSTS, SharedCosts.read(folder));
    Plan shared = Plan.of(wish(2000, 0, 8, 0.6, 1, Storage.SHARED), COSTS, SharedCosts.read(folder));
    assertThat(embedded.idpSessionBytes()).isCloseTo(20e6 * 100 / embedded.idpNodes(), within(1.0));
    // Not all 20 million: as many as the near cache holds.
    assertThat(shared.idpSessionBytes()).isCloseTo(200_000 * 2_500, within(1.0));
    assertThat(shared.gatewaySessionBytes()).isCloseTo(200_000 * 2_000, within(1.0));
    assertThat(shared.missShare()).isCloseTo(0.99, within(1e-9));
    assertThat(embedded.missShare()).isZero();
    assertThat(shared.storeBytes()).isCloseTo(20e6 * 1200, within(1.0));
    assertThat(shared.idpCpu()).isCloseTo(embedded.idpCpu() / 0.7, within(1e-9));
  }

  @Test
  void pagesWhoseSessionIsNotNearCostARead() throws IOException {
    near();
    SharedCosts costs = SharedCosts.read(folder);
    Wish.Nodes nodes = new Wish.Nodes(8, 0.6, 1);
    Plan all = Plan.of(new Wish(0, 100_000, 200_000, 14_000, true, nodes, Storage.SHARED), COSTS, costs);
    Plan twice = Plan.of(new Wish(0, 100_000, 400_000, 14_000, true, nodes, Storage.SHARED), COSTS, costs);
    assertThat(all.missShare()).isZero();
    assertThat(twice.missShare()).isCloseTo(0.5, within(1e-9));
    assertThat(twice.idpSessionBytes()).isEqualTo(all.idpSessionBytes());
    // Half of the pages take 98 µs more.
    assertThat(twice.gatewayCpu() - all.gatewayCpu()).isCloseTo(100_000 * 0.5 * 98e-6, within(1e-9));
    assertThat(new PlanReport(new Wish(0, 100_000, 400_000, 14_000, true, nodes, Storage.SHARED), COSTS, costs, twice).text())
        .contains("| 50.0 % |", "98.0 µs; 30.0 µs", "Valkey, CPU seconds a second for such reads | 1.50 |")
        .contains("| 300,000, gateway | 400 MB, 410 MB | 0.333, 0.340 |");
  }

  private void near() throws IOException {
    Files.writeString(
        folder.resolve("near.json"),
        """
        {"details": [
          {"kind": "identity provider", "bytesEach": 2500, "hitMicros": 1, "missMicros": 120, "valkeyMissMicros": 40, "sessions": 300000,
           "bytes": 500000000, "missShare": 0.33},
          {"kind": "gateway", "bytesEach": 2000, "hitMicros": 2, "missMicros": 100, "valkeyMissMicros": 30, "sessions": 300000,
           "bytes": 410000000, "missShare": 0.34}]}
        """);
  }

  @Test
  void theRecordedResultsGiveAPlan() {
    Run run = run("--logins", "2000/s", "--sessions", "20M", "--hits", "500k/s", "--results", RESULTS.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.exit()).isZero();
    assertThat(run.out())
        .contains("\n| role | nodes | of them spare |")
        .contains("20,000,000 people logged in", "storage: shared", "saml.json: " + Costs.LOGIN, "`./gatehouse bench gateway")
        .contains("sessions.json");
  }

  @Test
  void whatIsNotMeasuredSaysSo() {
    Wish wish = wish(2000, 0, 8, 0.6, 1, Storage.SHARED);
    SharedCosts nothing = SharedCosts.read(folder);
    assertThat(new PlanReport(wish, COSTS, nothing, Plan.of(wish, COSTS, nothing)).text())
        .contains("| not measured |", "not measured: ./gatehouse bench sessions --near", "an aim, not measured", "PostgreSQL, CPU | not known | not measured", "3 of 3 measured points are missing");
  }

  @Test
  void measuredPointsStandBesideTheirPlan() throws IOException {
    Files.writeString(
        folder.resolve("plan-points.json"),
        """
        {"login": 1.25, "page": 1.0, "valkeyBytes": 900, "valkeyCpu": 0.0001,
         "points": [{"command": "./gatehouse bench nodes", "commit": "abc", "logins": 100, "hits": 1000, "sessions": 5000,
                     "idpCpu": 0.3, "gatewayCpu": 0.31, "cached": true}]}
        """);
    Wish wish = wish(2000, 0, 8, 0.6, 1, Storage.SHARED);
    SharedCosts shared = SharedCosts.read(folder);
    assertThat(new PlanReport(wish, COSTS, shared, Plan.of(wish, COSTS, shared)).text())
        .contains("| 1.25 | measured |", "Valkey, CPU seconds a second | 0.20 | measured", "0.25, 0.30 | 0.26, 0.31")
        .contains("2 of 3 measured points are missing");
  }

  @Test
  void wrongNumbersAndMissingResultsAreSaid() {
    assertThat(run("--logins", "2000", "--sessions", "1", "--hits", "1/s").err()).contains("'2000' is not a rate; write it like 2000/s");
    assertThat(run("--logins", "1/s", "--sessions", "many", "--hits", "1/s").err()).contains("'many' is not a number; write it like 20M");
    assertThat(run("--logins", "1/s", "--sessions", "1", "--hits", "1/s", "--results", folder.toString()).err())
        .contains("saml.json is missing; it is what ./gatehouse bench saml writes");
    assertThat(run("--logins", "1/s", "--sessions", "1", "--hits", "1/s", "--utilisation", "60", "--results", RESULTS.toString()).err())
        .contains("utilisation is 60.0, not above 0 and at most 1");
  }

  private static Wish wish(double logins, double hits, int cores, double utilisation, int spare, Storage storage) {
    return new Wish(logins, hits, 20e6, 14_000, true, new Wish.Nodes(cores, utilisation, spare), storage);
  }

  private static Run run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        new CommandLine(new PlanCommand())
            .setCaseInsensitiveEnumValuesAllowed(true).setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    return new Run(exit, out.toString(), err.toString());
  }
}
