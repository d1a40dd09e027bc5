package dev.gatehouse.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LatenciesTest {

  private static final long MILLI = 1_000_000;

  @Test
  void whoStarvesIsSeenInTheTail() {
    Latencies served = new Latencies();
    for (int i = 0; i < 98; i++) {
      served.add(MILLI);
    }
    Latencies starving = new Latencies();
    starving.add(51 * MILLI);
    starving.add(51 * MILLI);
    Iteration.Step step = Latencies.step("token", List.of(served, starving), 100, 0);
    assertThat(step.meanMs()).isEqualTo(2);
    assertThat(step.p50Ms()).isEqualTo(1);
    assertThat(step.p99Ms()).isEqualTo(51);
    assertThat(step.p999Ms()).isEqualTo(51);
    assertThat(step.tail()).isEqualTo(25.5);
  }

  @Test
  void nothingHasNoTail() {
    assertThat(new Latencies().step("token", 0).tail()).isZero();
  }
}
