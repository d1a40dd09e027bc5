package dev.gatehouse.perf.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LooksTest {

  @Test
  void eachHasALineOfItsOwn() {
    Looks looks = new Looks();
    for (int minute = 0; minute < 3; minute++) {
      looks.add(Map.of(Watched.ROCKSDB, 40.0, Watched.LOGS, 100.0 + minute), minute, 1 << 20);
    }
    assertThat(looks.growth()).containsOnlyKeys(Watched.ROCKSDB, Watched.LOGS);
    assertThat(Objects.requireNonNull(looks.growth().get(Watched.ROCKSDB)).anHour()).isZero();
    assertThat(Objects.requireNonNull(looks.growth().get(Watched.LOGS)).anHour()).isCloseTo(60, within(1e-9));
  }

  @Test
  void logsAreDividedByWhatWasDoneBetweenTheLooks() {
    Looks looks = new Looks();
    assertThat(looks.written()).isEmpty();
    looks.add(Map.of(Watched.LOGS, 100.0), 11, 5_000);
    assertThat(looks.written()).isEmpty();
    looks.add(Map.of(Watched.LOGS, 101.0), 12, 5_000 + (1 << 12));
    assertThat(looks.written()).contains(new Looks.Written("logs", 1 << 12, 1 << 8));
  }

  @Test
  void eachLookHasARow() {
    Looks looks = new Looks();
    looks.add(Map.of(Watched.HEAP, 50.0, Watched.FILES, 1000.0), 11, 1);
    looks.add(Map.of(Watched.HEAP, 51.0, Watched.FILES, 1001.0), 12, 2);
    assertThat(looks.lookByLook())
        .contains("| minute | " + Watched.HEAP.title() + " | " + Watched.FILES.title() + " |")
        .contains("| 11 | 50.0 | 1,000.0 |")
        .contains("| 12 | 51.0 | 1,001.0 |");
  }

  @Test
  void twoLooksAreTooFew() {
    Looks looks = new Looks();
    looks.add(Map.of(Watched.HEAP, 50.0), 0, 1);
    looks.add(Map.of(Watched.HEAP, 51.0), 1, 2);
    assertThat(looks.growth()).isEmpty();
  }
}
