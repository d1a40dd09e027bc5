package dev.gatehouse.gateway.administrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.AdministratorGrants.PersonGrant;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcAdministratorGrants;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.TestRealms;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoredChangesTest {

  @Test
  void anEmptyRealmTakesNoRole() {
    Directories none =
        realm -> {
          throw new AssertionError("no directory is asked");
        };
    RecordingAuditLog audit = new RecordingAuditLog();
    try (Database database = Database.inMemory()) {
      AdministratorGrants grants = new JdbcAdministratorGrants(database);
      grants.put(
          new PersonGrant(
              "demo", new PersonId("alice-id"), "alice", AdministratorGrant.ALL, Optional.empty(), "test", TestTime.START),
          false);
      StoredChanges changes = new StoredChanges("demo", new FixedRealms(TestRealms.demo()), none, grants, audit, new TestTime());
      assertThatThrownBy(() -> changes.revoke("alice", Optional.of(""), true))
          .isInstanceOf(AdministratorChanges.Refused.class)
          .hasMessageContaining("leave it out");
      assertThat(grants.all("demo")).hasSize(1);
      assertThat(audit.events(AuditEvent.class)).isEmpty();
    }
  }
}
