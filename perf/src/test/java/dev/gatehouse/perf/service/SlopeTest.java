package dev.gatehouse.perf.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class SlopeTest {

  @Test
  void aLineIsFoundExactly() {
    // From 100 by 1 a minute: the mean is 102, and 60 more in an hour.
    Slope seen = Slope.of("heap", List.of(100.0, 101.0, 102.0, 103.0, 104.0));
    assertThat(seen.mean()).isEqualTo(102);
    assertThat(seen.percentAnHour()).isCloseTo(60 / 1.02, within(1e-9));
    assertThat(seen.error()).isCloseTo(0, within(1e-9));
    assertThat(seen.grows()).isTrue();
  }

  @Test
  void noiseIsNoGrowth() {
    Slope seen = Slope.of("threads", List.of(50.0, 52.0, 49.0, 51.0, 50.0, 52.0, 49.0, 51.0));
    assertThat(seen.error()).isGreaterThan(Math.abs(seen.percentAnHour()));
    assertThat(seen.grows()).isFalse();
  }

  @Test
  void whatShrinksDoesNotGrow() {
    assertThat(Slope.of("disk", List.of(5.0, 4.0, 3.0)).grows()).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> Slope.of("disk", List.of(5.0, 4.0)));
  }
}
