package dev.gatehouse.common.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Servers that are not installed here. */
class PostgresGuaranteesTest {

  @Test
  void anOldServerIsRefusedWithTheRemedy() {
    assertThat(of(130_011).defect()).contains("is of version 13: install version 14 or later");
    assertThat(of(140_000).defect()).isEmpty();
    assertThat(of(180_001).defect()).isEmpty();
  }

  private static PostgresGuarantees of(int version) {
    return new PostgresGuarantees(version, "on", "", Optional.empty(), 1, List.of());
  }
}
