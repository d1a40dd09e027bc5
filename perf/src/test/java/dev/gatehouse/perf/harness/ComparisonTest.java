package dev.gatehouse.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.harness.Iteration.Phase;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {

  private static final Comparison COMPARISON = new Comparison("Gatehouse", "other");

  @Test
  void theRatioIsTakenPairByPair(@TempDir Path folder) throws Exception {
    // The machine halves its speed between the rounds: each pair still says the same.
    List<Iteration> rounds =
        List.of(round("Gatehouse", 990), round("other", 1000), round("other", 500), round("Gatehouse", 495));
    assertThat(COMPARISON.write(rounds, folder, "gateway-against", "bench"))
        .contains("| page | 2 | 743 | 750 | 0.990 | 0.990 to 0.990 |");
  }

  @Test
  void aRowThatLostMoreThanThreePercentStandsOut(@TempDir Path folder) throws Exception {
    assertThat(COMPARISON.write(List.of(round("Gatehouse", 96), round("other", 100)), folder, "gateway-against", "bench"))
        .contains("| **0.960** |");
  }

  @Test
  void timesOfBothBuildsStandBelow(@TempDir Path folder) throws Exception {
    assertThat(COMPARISON.write(List.of(round("Gatehouse", 96), round("other", 100)), folder, "oauth-against", "bench"))
        .contains("| page | Gatehouse | 96 | 1.00 | 1.00 | 2.00 | 3.00 | 2.0 |", "| page | other | 100 |");
  }

  /** The mean is no measure there, and what was not begun in time is. */
  @Test
  void constantRatesHaveATableOfTheirOwn(@TempDir Path folder) throws Exception {
    List<Iteration> rounds =
        List.of(
            round("Gatehouse", 96), paced("Gatehouse", 50, 1_250), paced("Gatehouse", 50, 7), round("other", 100), paced("other", 50, 0),
            paced("other", 50, 0));
    String md = COMPARISON.write(rounds, folder, "tails-against", "bench");
    String closed = "| row | build | per second | mean ms | p50 ms | p99 ms | p99.9 ms | p99 in means |";
    String paced = "| row | build | per second | p50 ms | p95 ms | p99 ms | p99.9 ms | not begun in time |";
    assertThat(md).containsSubsequence("| page | 1 |", "| page at a rate | 2 |", closed, paced);
    assertThat(md.substring(md.indexOf(closed), md.indexOf(paced)))
        .contains("| page | Gatehouse | 96 | 1.00 | 1.00 | 2.00 | 3.00 | 2.0 |", "| page | other |")
        .doesNotContain("| page at a rate |");
    assertThat(md.substring(md.indexOf(paced)))
        .contains(
            "| page at a rate | Gatehouse | 50 | 4.00 | 5.00 | 6.00 | 7.00 | 1,257 |",
            "| page at a rate | other | 50 | 4.00 | 5.00 | 6.00 | 7.00 | 0 |")
        .doesNotContain("| page |");
  }

  @Test
  void aComparisonWithoutConstantRatesSaysNothingOfThem(@TempDir Path folder) throws Exception {
    assertThat(COMPARISON.write(List.of(round("Gatehouse", 96), round("other", 100)), folder, "oauth-against", "bench"))
        .doesNotContain("constant rate");
    assertThat(COMPARISON.write(List.of(paced("Gatehouse", 50, 0), paced("other", 50, 0)), folder, "tails-against", "bench"))
        .doesNotContain("closed loop");
  }

  /** One second, one CPU second. */
  private static Iteration round(String server, long operations) {
    return round(server, "page", new Iteration.Step("page", operations, 0, 1, 1, 2, 2, 3), false);
  }

  private static Iteration paced(String server, long operations, long notBegun) {
    return round(server, "page at a rate", new Iteration.Step("page", operations, notBegun, 30, 4, 5, 6, 7), true);
  }

  private static Iteration round(String server, String row, Iteration.Step step, boolean isPaced) {
    List<Iteration.Cost> costs = List.of(new Iteration.Cost("gatehouse", 1, 100));
    return new Iteration(server, row, Phase.MEASUREMENT, 1, 1, step.ok(), List.of(step), costs, isPaced);
  }
}
