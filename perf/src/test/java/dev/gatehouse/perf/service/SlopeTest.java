package dev.gatehouse.perf.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.gatehouse.perf.service.Slope.Sample;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlopeTest {

  /** One a minute. */
  private static List<Sample> samples(double... values) {
    return IntStream.range(0, values.length).mapToObj(i -> new Sample(i, values[i])).toList();
  }

  @Test
  void aLineIsFoundExactly() {
    // From 100 by 1 a minute: the mean is 102, and 60 more in an hour.
    Slope seen = Slope.of(samples(100, 101, 102, 103, 104));
    assertThat(seen.mean()).isEqualTo(102);
    assertThat(seen.anHour()).isCloseTo(60, within(1e-9));
    assertThat(seen.percent(seen.anHour())).isCloseTo(60 / 1.02, within(1e-9));
    assertThat(seen.error()).isCloseTo(0, within(1e-9));
  }

  @Test
  void theTimesOfTheSamplesCount() {
    // By 2 a minute, but looked at in unequal steps.
    Slope seen = Slope.of(List.of(new Sample(10, 20), new Sample(11, 22), new Sample(14, 28), new Sample(20, 40)));
    assertThat(seen.anHour()).isCloseTo(120, within(1e-9));
    assertThat(seen.error()).isCloseTo(0, within(1e-6));
  }

  @Test
  void noiseHasAnError() {
    Slope seen = Slope.of(samples(50, 52, 49, 51, 50, 52, 49, 51));
    assertThat(seen.error()).isGreaterThan(Math.abs(seen.anHour()));
  }

  @Test
  void whatIsNotThereDoesNotGrow() {
    Slope seen = Slope.of(samples(0, 0, 0));
    assertThat(seen.anHour()).isZero();
    assertThat(seen.percent(seen.anHour())).isZero();
  }

  @Test
  void twoPointsAreNoLine() {
    assertThatIllegalArgumentException().isThrownBy(() -> Slope.of(samples(5, 4)));
  }
}
