package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.PasswordResets.PasswordReset;
import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class RecoveryMarksTest {

  private static final Instant NOW = TestTime.START;

  @Test
  void linksThatMayHaveBeenUsedSinceTheBackupCountNoLonger() {
    try (Database database = Database.inMemory()) {
      PasswordResets resets = new JdbcPasswordResets(database);
      AdministratorGrants grants = new JdbcAdministratorGrants(database);
      resets.put("demo", new PasswordReset(new PersonId("alice"), "link", NOW, NOW.plusSeconds(1200), ""));
      assertThat(grants.offerSetUp("demo", "code", NOW.plusSeconds(1800))).isTrue();

      new RecoveryMarks(database).restored(NOW);

      assertThat(resets.find("demo", "link")).isEmpty();
      assertThat(grants.setUp(NOW)).isEmpty();
      assertThat(grants.offerSetUp("demo", "another", NOW.plusSeconds(1800))).as("a deployment has one").isFalse();
    }
  }
}
