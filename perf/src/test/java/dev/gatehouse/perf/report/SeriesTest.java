package dev.gatehouse.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {

  @Test
  void medianAndSpread() {
    Series odd = Series.of(List.of(5.0, 1.0, 3.0));
    assertThat(odd.median()).isEqualTo(3);
    assertThat(odd.lowest()).isEqualTo(1);
    assertThat(odd.highest()).isEqualTo(5);
    assertThat(Series.of(List.of(4.0, 1.0, 2.0, 3.0)).median()).isEqualTo(2.5);
  }

  @Test
  void nothingMeasuredIsNoSeries() {
    assertThatThrownBy(() -> Series.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Series.of(List.of(1.0, Double.NaN))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Series.of(List.of(Double.POSITIVE_INFINITY))).isInstanceOf(IllegalArgumentException.class);
  }
}
