package dev.gatehouse.perf.otp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReplicaTimesTest {

  private final ReplicaTimes times = new ReplicaTimes();

  @Test
  void aChangeIsValidWhenTheLastReplicaHasIt() {
    for (int i = 1; i <= 100; i++) {
      // Each replica is the last one now and then.
      times.add(new double[] {i % 2 == 0 ? i : 1, i % 2 == 0 ? 1 : i, 0.5});
    }
    assertThat(times.everywhere(0.5)).isEqualTo(50);
    assertThat(times.everywhere(0.99)).isEqualTo(99);
  }

  @Test
  void theSlowestReplicaIsFound() {
    for (int i = 1; i <= 100; i++) {
      // The first one once takes very long.
      times.add(new double[] {i == 1 ? 1_000 : 1, 2, i > 90 ? 7 : 1});
    }
    assertThat(times.slowest()).isEqualTo(new ReplicaTimes.Slowest(2, 7));
  }

  @Test
  void oneChangeAtOneReplicaIsAllThereIs() {
    times.add(new double[] {0.25});
    assertThat(times.everywhere(0.5)).isEqualTo(0.25);
    assertThat(times.everywhere(0.99)).isEqualTo(0.25);
    assertThat(times.slowest()).isEqualTo(new ReplicaTimes.Slowest(0, 0.25));
  }
}
