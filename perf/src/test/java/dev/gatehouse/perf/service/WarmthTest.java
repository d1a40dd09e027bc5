package dev.gatehouse.perf.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WarmthTest {

  /** A second each, the first of which ends four seconds after the start. */
  private static List<Iteration> curve(int... rates) {
    return IntStream.range(0, rates.length)
        .mapToObj(i -> new Iteration("Gatehouse", "page", Phase.WARM_UP, 4 + i, 1, rates[i], List.of(), List.of(), false))
        .toList();
  }

  @Test
  void twoSecondsAtEightyPercentCount() {
    assertThat(Warmth.of("page", curve(10, 85, 40, 79, 80, 90, 100, 99, 101))).isEqualTo(new Warmth("page", true, 8, 100, 3));
  }

  @Test
  void whatIsNotReachedIsSaid() {
    assertThat(Warmth.of("page", curve(1, 1, 1, 1, 1, 1, 100, 1, 100)).reached()).isFalse();
  }
}
