package dev.gatehouse.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {

  @Test
  void theRatioIsTakenPairByPair(@TempDir Path folder) throws Exception {
    Comparison comparison = new Comparison("Gatehouse");
    // The machine halves its speed between the rounds: each pair still says the same.
    comparison.add("page", "Gatehouse", 990);
    comparison.add("page", "other", 1000);
    comparison.add("page", "other", 500);
    comparison.add("page", "Gatehouse", 495);
    assertThat(comparison.write(folder, "gateway-against", "bench")).contains("| page | 2 | 743 | 750 | 0.990 | 0.990 to 0.990 |");
  }

  @Test
  void aRowThatLostMoreThanThreePercentStandsOut(@TempDir Path folder) throws Exception {
    Comparison comparison = new Comparison("Gatehouse");
    comparison.add("page", "Gatehouse", 96);
    comparison.add("page", "other", 100);
    assertThat(comparison.write(folder, "gateway-against", "bench")).contains("| **0.960** |");
  }
}
