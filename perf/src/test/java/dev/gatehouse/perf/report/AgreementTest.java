package dev.gatehouse.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgreementTest {

  private static final Row ROW =
      new Row("limits", "Limits", "limits", Row.Length.of(1, "limits"), List.of(), Map.of(), List.of());

  private static List<Boolean> agree(double tolerance, Figure now, double... recorded) {
    RowRecord then = Samples.measured(ROW, false, Samples.COMMIT, Samples.figure("a", "s", recorded));
    return Agreement.of(then, Samples.measured(ROW, false, Samples.COMMIT, now), tolerance).stream().map(Agreement::agrees).toList();
  }

  @Test
  void aMedianWithinTheRoundsAgrees() {
    assertThat(agree(0, Samples.figure("a", "s", 80, 104, 300), 100, 95, 105)).containsExactly(true);
    assertThat(agree(0, Samples.figure("a", "s", 106), 100, 95, 105)).containsExactly(false);
    assertThat(agree(0, Samples.figure("a", "s", 94), 100, 95, 105)).containsExactly(false);
  }

  @Test
  void theToleranceWidensBothEnds() {
    assertThat(agree(0.1, Samples.figure("a", "s", 115.4), 100, 95, 105)).containsExactly(true);
    assertThat(agree(0.1, Samples.figure("a", "s", 115.6), 100, 95, 105)).containsExactly(false);
    assertThat(agree(0.1, Samples.figure("a", "s", 85.6), 100, 95, 105)).containsExactly(true);
    assertThat(agree(0.1, Samples.figure("a", "s", 85.4), 100, 95, 105)).containsExactly(false);
    // What is better than recorded does not agree either: one of both is wrong.
    assertThat(agree(0.1, Samples.figure("a", "s", 1), 100)).containsExactly(false);
  }

  @Test
  void whatWasNotMeasuredAgainDoesNotAgree() {
    assertThat(agree(0.1, Samples.figure("other", "s", 100), 100)).containsExactly(false);
  }
}
