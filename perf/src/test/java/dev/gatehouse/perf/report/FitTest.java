package dev.gatehouse.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.gatehouse.perf.report.Fit.Point;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FitTest {

  @Test
  void aPowerLawIsFound() {
    Fit fit = Fit.of(Stream.of(1, 10, 100, 1_000).map(x -> new Point(x, 3 * Math.pow(x, -0.25))).toList());
    assertThat(fit.exponent()).isCloseTo(-0.25, within(1e-12));
    assertThat(fit.factor()).isCloseTo(3, within(1e-9));
    assertThat(fit.error().orElseThrow()).isCloseTo(0, within(1e-9));
    assertThat(fit.at(10_000)).isCloseTo(0.3, within(1e-9));
  }

  /** By hand, with x = e^0, e^1, e^2 and y = e^0, e^1, e^1: slope 1/2, residuals -1/6, 1/3, -1/6, so the error is sqrt(1/6 / 1 / 2). */
  @Test
  void theStandardErrorIsThatOfTheSlope() {
    Fit fit = Fit.of(List.of(new Point(1, 1), new Point(Math.E, Math.E), new Point(Math.E * Math.E, Math.E)));
    assertThat(fit.exponent()).isCloseTo(0.5, within(1e-12));
    assertThat(fit.error().orElseThrow()).isCloseTo(Math.sqrt(1.0 / 12), within(1e-12));
  }

  @Test
  void twoPointsHaveNoStandardError() {
    Fit fit = Fit.of(List.of(new Point(1, 100), new Point(2, 190)));
    assertThat(fit.error()).isEmpty();
    assertThat(fit.exponent()).isCloseTo(0.926, within(1e-3));
  }

  @Test
  void whatHasNoLogarithmIsRefused() {
    assertThatThrownBy(() -> Fit.of(List.of(new Point(1, 0), new Point(2, 3)))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Fit.of(List.of(new Point(2, 1), new Point(2, 3)))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Fit.of(List.of(new Point(1, Double.NaN), new Point(2, 3)))).isInstanceOf(IllegalArgumentException.class);
  }
}
