package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The clocks of a node and of two stores. */
class ClockWatchTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          0, 0, right
          10, -10, right
          -120, -120, 120 s ahead of PostgreSQL and Valkey: set it
          120, 90, 120 s behind PostgreSQL and Valkey: set it
          -120, 0, right
          0, 120, right
          -120, 120, right
          """)
  void isWrongIfAllStoresSaySo(long postgresql, long valkey, String expected) {
    try (ClockWatch watch = new ClockWatch(() -> NOW, List.of(() -> NOW.plusSeconds(postgresql), () -> NOW.plusSeconds(valkey)))) {
      assertThat(watch.problem().orElse("right")).endsWith(expected);
    }
  }
}
