package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.otp.JdbcSecondFactors;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdbcSecondFactorsTest extends SecondFactorsContract {

  private final Database database = EmptiedDatabase.get();
  private final SecondFactors factors = new JdbcSecondFactors(database);

  @Override
  protected SecondFactors factors() {
    return factors;
  }

  @Test
  void aUsedStepStaysUsedAfterARestart(@TempDir Path data) {
    try (Database first = Database.embedded(data)) {
      SecondFactors before = new JdbcSecondFactors(first);
      before.add("demo", ALICE, factor("a"), 5);
      assertThat(before.accept("demo", ALICE, "a", 42, factor("a").createdAt())).isTrue();
    }
    try (Database second = Database.embedded(data)) {
      SecondFactors after = new JdbcSecondFactors(second);
      assertThat(after.accept("demo", ALICE, "a", 42, factor("a").createdAt())).isFalse();
      assertThat(after.accept("demo", ALICE, "a", 43, factor("a").createdAt())).isTrue();
    }
  }
}
