package dev.gatehouse.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Cost;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Iteration.Step;
import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.report.Figure.Seen;
import dev.gatehouse.perf.report.Selection.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TakeTest {

  private static final String POST = "SP, transient, POST, HTTP logout";
  private static final String ARTIFACT = "SP, transient, Artifact, HTTP logout";

  @TempDir private Path folder;

  private static Iteration round(String server, String row, Phase phase, long operations, double idp, double sp, double slapd) {
    List<Step> steps =
        List.of(new Step("IdP Login", operations, 0, 10, 9, 20, 30, 40), new Step("SP Assertion Consumption", operations, 1, 5, 4, 6, 7, 8));
    List<Cost> costs = List.of(new Cost("idp", idp, 300), new Cost("sp", sp, 300), new Cost("slapd", slapd, 90));
    return new Iteration(server, row, phase, 1, 10, operations, steps, costs, false);
  }

  private Results results(int counted, Object... details) throws IOException {
    List<Iteration> iterations =
        List.of(
            round("Gatehouse", POST, Phase.WARM_UP, 100, 9, 9, 9),
            round("Gatehouse", POST, Phase.MEASUREMENT, 100, 2, 2, 1),
            round("Gatehouse", ARTIFACT, Phase.MEASUREMENT, 100, 3, 3, 1),
            round("Keycloak", POST, Phase.MEASUREMENT, 10, 2, 0, 1),
            round("Gatehouse", POST, Phase.MEASUREMENT, 100, 1, 1, 1),
            round("Gatehouse", ARTIFACT, Phase.MEASUREMENT, 100, 1.5, 1.5, 1));
    Report report =
        new Report(
            "saml", "./gatehouse bench saml", "c", Instant.EPOCH, Samples.MACHINE, Map.of(), iterations, List.of(details), List.of("a row failed"));
    report.write(folder, "");
    return Results.read(folder, "saml", counted);
  }

  private static List<Double> rounds(Optional<Seen> seen) {
    return seen.map(each -> each.series().rounds()).orElse(List.of());
  }

  @Test
  void aRateIsPerCpuSecondOfOurProcessesWithoutWarmUp() throws IOException {
    Results results = results(0);
    Seen seen = new Take.Rate("Gatehouse", POST).from(results).orElseThrow();
    assertThat(seen.series().rounds()).containsExactly(25.0, 50.0);
    assertThat(seen.more())
        .containsEntry("per second", 10.0)
        .containsEntry("CPU ms of slapd", 10.0)
        .containsEntry("IdP Login, mean ms", 10.0)
        .containsEntry("SP Assertion Consumption, p99 ms", 7.0)
        .containsEntry("failed requests", 2.0);
    assertThat(rounds(new Take.Rate("Keycloak", POST).from(results))).containsExactly(5.0);
    assertThat(new Take.Rate("Gatehouse", "no such row").from(results)).isEmpty();
    assertThat(results.complaints()).containsExactly("a row failed");
  }

  @Test
  void timesAreThoseOfTheLastStep() throws IOException {
    Results results = results(0);
    Seen seen = new Take.Times("Gatehouse", POST, false).from(results).orElseThrow();
    assertThat(seen.series().rounds()).containsExactly(7.0, 7.0);
    assertThat(seen.more()).containsEntry("SP Assertion Consumption, p95 ms", 6.0).containsEntry("SP Assertion Consumption, p99.9 ms", 8.0);
    assertThat(rounds(new Take.Times("Gatehouse", POST, true).from(results))).containsExactly(1.4, 1.4);
    assertThat(new Take.Times("Gatehouse", "no such row", true).from(results)).isEmpty();
  }

  @Test
  void onlyTheLastRoundsCount() throws IOException {
    assertThat(rounds(new Take.Rate("Gatehouse", POST).from(results(1)))).containsExactly(50.0);
  }

  @Test
  void aRatioIsTakenRoundByRound() throws IOException {
    Results results = results(0);
    Take.Ratio own =
        new Take.Ratio(
            new Selection("Gatehouse", List.of("Artifact"), new Part.OwnCpu()), new Selection("Gatehouse", List.of("POST"), new Part.OwnCpu()));
    assertThat(rounds(own.from(results))).containsExactly(1.5, 1.5);
    Take.Ratio all =
        new Take.Ratio(
            new Selection("Gatehouse", List.of("Artifact"), new Part.AllCpu()), new Selection("Gatehouse", List.of("POST"), new Part.AllCpu()));
    assertThat(rounds(all.from(results)).getFirst()).isCloseTo(7.0 / 5, within(1e-9));
    assertThat(rounds(all.from(results)).getLast()).isCloseTo(4.0 / 3, within(1e-9));
    Take.Ratio processes =
        new Take.Ratio(
            new Selection("Gatehouse", List.of(), new Part.Cpu("slapd")), new Selection("Gatehouse", List.of(), new Part.Cpu("idp")));
    assertThat(rounds(processes.from(results)).getFirst()).isCloseTo(1 / 2.5, within(1e-9));
    Take.Ratio steps =
        new Take.Ratio(
            new Selection("Gatehouse", List.of("POST"), new Part.Step("SP Assertion Consumption")),
            new Selection("Gatehouse", List.of("POST"), new Part.SlowestBut("SP Assertion Consumption")));
    assertThat(rounds(steps.from(results))).containsExactly(0.5, 0.5);
    // POST is a word of the row's name, not a part of a word; what has no other side is not measured.
    assertThat(new Take.Ratio(new Selection("", List.of("PO"), new Part.AllCpu()), new Selection("", List.of(), new Part.AllCpu())).from(results))
        .isEmpty();
  }

  @Test
  void aDifferenceIsTakenPairByPair() throws IOException {
    Results results = results(0);
    List<Double> all = rounds(new Take.Difference("Gatehouse", "Artifact", "POST", new Part.AllCpu(), 1000).from(results));
    assertThat(all).hasSize(2);
    assertThat(all.getFirst()).isCloseTo(20, within(1e-9));
    assertThat(all.getLast()).isCloseTo(10, within(1e-9));
    assertThat(rounds(new Take.Difference("Gatehouse", "Artifact", "POST", new Part.Cpu("slapd"), 1000).from(results)))
        .as("what both cost alike")
        .containsExactly(0.0, 0.0);
    assertThat(rounds(new Take.Difference("Gatehouse", "Artifact", "POST", new Part.AllCpu(), 1000).from(results(1))))
        .as("the last round")
        .hasSize(1);
    assertThat(new Take.Difference("Gatehouse", "transient", "persistent", new Part.AllCpu(), 1000).from(results))
        .as("rows without the other one")
        .isEmpty();
    assertThat(new Take.Difference("Keycloak", "Artifact", "POST", new Part.AllCpu(), 1000).from(results)).isEmpty();
  }

  private record Memory(String kind, int sessions, long heapBytes, long nativeBytes) {}

  private record Change(double seconds, boolean servesAtOnce) {}

  @Test
  void fieldsOfDetailsAreFoundByOtherFields() throws IOException {
    Results results =
        results(
            0, new Memory("gateway", 10, 200, 800), new Memory("idp", 10, 1, 2), List.of(new Change(1.5, true), new Change(2.5, true)),
            List.of(new Change(9, false)));
    assertThat(rounds(new Take.Field(Map.of("kind", "gateway"), List.of("heapBytes", "nativeBytes"), "sessions", 1).from(results)))
        .containsExactly(100.0);
    assertThat(rounds(new Take.Field(Map.of("sessions", "10", "kind", "idp"), List.of("heapBytes"), "", 1000).from(results)))
        .containsExactly(1000.0);
    assertThat(rounds(Take.Field.of(Map.of("servesAtOnce", "true"), "seconds").from(results))).containsExactly(1.5, 2.5);
    assertThat(Take.Field.of(Map.of("kind", "gateway"), "none").from(results)).isEmpty();
    assertThat(new Take.First(List.of(Take.Field.of(Map.of(), "none"), Take.Field.of(Map.of("kind", "idp"), "heapBytes"))).from(results)).isPresent();
  }

  @Test
  void jmhHasItsRounds() throws IOException {
    Files.writeString(
        folder.resolve("jmh.json"),
        """
        [{"benchmark": "dev.gatehouse.perf.jmh.SamlBenchmark.issue", "params": {"key": "P_256", "provider": "ACCP"},
          "primaryMetric": {"score": 3, "rawData": [[2.0, 4.0]]}, "secondaryMetrics": {"gc.alloc.rate.norm": {"score": 512.0}}},
         {"benchmark": "dev.gatehouse.perf.jmh.SamlBenchmark.issueEncrypted", "params": {"key": "RSA_2048"},
          "primaryMetric": {"score": 3, "rawData": [[7.0]]}, "secondaryMetrics": {}}]
        """);
    Results results = Results.read(folder, "jmh", 0);
    Seen seen = new Take.Jmh("SamlBenchmark.issue", Map.of("key", "P_256")).from(results).orElseThrow();
    assertThat(seen.series().rounds()).containsExactly(2.0, 4.0);
    assertThat(seen.more()).containsEntry("bytes allocated", 512.0);
    assertThat(new Take.Jmh("SamlBenchmark.issue", Map.of("key", "RSA_2048")).from(results)).isEmpty();
    assertThat(results.complaints()).isEmpty();
  }

  @Test
  void cellsOfMarkdownAreRead() throws IOException {
    Files.writeString(
        folder.resolve("gateway-assured-observe.md"),
        "| row | rounds | this build | the other | ratio | lowest to highest |\n|---|---|---|---|---|---|\n"
            + "| assured-page | 7 | 61,000 | 63,000 | **0.960** | 0.940 to 0.980 |\n| assured-login | 0 | | | |\n");
    Results results = Results.read(folder, "gateway", 0);
    assertThat(rounds(new Take.Cell("gateway-assured-observe", "assured-page", 4).from(results))).containsExactly(0.96);
    assertThat(rounds(new Take.Cell("gateway-assured-observe", "assured-page", 2).from(results))).containsExactly(61_000.0);
    assertThat(new Take.Cell("gateway-assured-observe", "assured-login", 3).from(results)).isEmpty();
    assertThat(new Take.Cell("none", "assured-page", 4).from(results)).isEmpty();
  }

  @Test
  void nothingIsTakenFromARunThatWroteNothing() throws IOException {
    Results results = Results.read(folder, "saml", 0);
    assertThat(new Take.Rate("Gatehouse", POST).from(results)).isEmpty();
    assertThat(Take.Field.of(Map.of(), "seconds").from(results)).isEmpty();
    assertThat(new Take.Jmh("SamlBenchmark.issue", Map.of()).from(results)).isEmpty();
    Files.writeString(folder.resolve("saml.json"), "{ \"iterations\" : [");
    assertThatThrownBy(() -> Results.read(folder, "saml", 0)).isInstanceOf(IOException.class).hasMessageContaining("saml.json");
  }
}
