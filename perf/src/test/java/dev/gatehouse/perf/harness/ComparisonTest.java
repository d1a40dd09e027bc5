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

  /** One second, one CPU second. */
  private static Iteration round(String server, long operations) {
    List<Iteration.Step> steps = List.of(new Iteration.Step("page", operations, 0, 1, 1, 2, 2, 3));
    return new Iteration(
        server, "page", Phase.MEASUREMENT, 1, 1, operations, steps, List.of(new Iteration.Cost("gatehouse", 1, 100)));
  }
}
