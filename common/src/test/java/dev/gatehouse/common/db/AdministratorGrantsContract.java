package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.AdministratorGrants.Change;
import dev.gatehouse.common.db.AdministratorGrants.PersonGrant;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.AdministratorGrant;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The contract of {@link AdministratorGrants} on every kind of database. */
abstract class AdministratorGrantsContract {

  private static final Instant NOW = TestTime.START;

  /** Returns empty grants; the same ones during a test. */
  protected abstract AdministratorGrants grants();

  private static PersonGrant grant(String person, String role, Optional<Duration> lifetime) {
    return new PersonGrant(
        "demo", new PersonId(person + "-id"), person, AdministratorGrant.parse(role), lifetime.map(NOW::plus), "ops", NOW);
  }

  private static PersonGrant grant(String person, String role) {
    return grant(person, role, Optional.empty());
  }

  @Test
  void aPersonHasOneRoleForEachRealmAndOneForAll() {
    grants().put(grant("bob", "viewer"), false);
    grants().put(grant("bob", "operator@demo"), false);
    grants().put(grant("bob", "admin@demo", Optional.of(Duration.ofHours(1))), false);
    grants().put(grant("alice", "admin"), false);
    assertThat(grants().of("demo", new PersonId("bob-id")))
        .containsExactly(grant("bob", "viewer"), grant("bob", "admin@demo", Optional.of(Duration.ofHours(1))));
    assertThat(grants().all("demo")).extracting(PersonGrant::name).containsExactly("alice", "bob", "bob");
    assertThat(grants().of("other", new PersonId("bob-id"))).isEmpty();
    assertThat(grants().remove("demo", new PersonId("bob-id"), Optional.of("demo"), false)).isEqualTo(Change.DONE);
    assertThat(grants().remove("demo", new PersonId("bob-id"), Optional.of("demo"), false)).isEqualTo(Change.ABSENT);
    assertThat(grants().of("demo", new PersonId("bob-id"))).containsExactly(grant("bob", "viewer"));
  }

  @Test
  void theLastLastingAdministratorStaysUnlessThatIsSaid() {
    PersonId alice = new PersonId("alice-id");
    grants().put(grant("alice", "admin"), false);
    grants().put(grant("bob", "admin", Optional.of(Duration.ofHours(1))), false);
    grants().put(grant("carol", "admin@demo"), false);
    assertThat(grants().remove("demo", alice, Optional.empty(), false)).isEqualTo(Change.LAST);
    assertThat(grants().remove("demo", alice, Optional.of(""), false)).as("all realms, as in the column").isEqualTo(Change.LAST);
    assertThat(grants().put(grant("alice", "viewer"), false)).isEqualTo(Change.LAST);
    assertThat(grants().put(grant("alice", "admin", Optional.of(Duration.ofHours(1))), false)).isEqualTo(Change.LAST);
    assertThat(grants().put(grant("alice", "admin"), false)).isEqualTo(Change.DONE);
    assertThat(grants().remove("demo", new PersonId("bob-id"), Optional.empty(), false)).isEqualTo(Change.DONE);
    assertThat(grants().of("demo", alice)).containsExactly(grant("alice", "admin"));
    assertThat(grants().remove("demo", alice, Optional.empty(), true)).isEqualTo(Change.DONE);
    assertThat(grants().put(grant("bob", "viewer"), false)).isEqualTo(Change.DONE);
  }

  @Test
  void twoWhoRemoveEachOtherLeaveOne() throws InterruptedException, ExecutionException {
    for (int round = 0; round < 10; round++) {
      grants().put(grant("alice", "admin"), false);
      grants().put(grant("bob", "admin"), false);
      List<Change> changes = new ArrayList<>();
      try (var threads = Executors.newFixedThreadPool(2)) {
        List<Future<Change>> both =
            List.of("alice", "bob").stream()
                .map(name -> threads.submit(() -> grants().remove("demo", new PersonId(name + "-id"), Optional.empty(), false)))
                .toList();
        for (Future<Change> one : both) {
          changes.add(one.get());
        }
      }
      assertThat(changes).containsExactlyInAnyOrder(Change.DONE, Change.LAST);
    }
  }

  @Test
  void aDeploymentHasOneSetUpCodeThatIsUsedOnce() {
    assertThat(grants().offerSetUp("demo", "digest", NOW.plusSeconds(60))).isTrue();
    assertThat(grants().offerSetUp("demo", "other", NOW.plusSeconds(60))).isFalse();
    assertThat(grants().setUp(NOW)).contains("digest");
    assertThat(grants().useSetUp("other", grant("mallory", "admin"), NOW)).isFalse();
    assertThat(grants().useSetUp("digest", grant("late", "admin"), NOW.plusSeconds(60))).isFalse();
    assertThat(grants().setUp(NOW.plusSeconds(60))).isEmpty();
    assertThat(grants().useSetUp("digest", grant("alice", "admin"), NOW)).isTrue();
    assertThat(grants().useSetUp("digest", grant("mallory", "admin"), NOW)).isFalse();
    assertThat(grants().setUp(NOW)).isEmpty();
    assertThat(grants().all("demo")).containsExactly(grant("alice", "admin"));
    grants().remove("demo", new PersonId("alice-id"), Optional.empty(), true);
    assertThat(grants().offerSetUp("demo", "again", NOW.plusSeconds(60))).as("once per deployment").isFalse();
  }

  @Test
  void whereAPersonHasARoleThereIsNoSetUpCode() {
    grants().put(grant("alice", "viewer"), false);
    assertThat(grants().offerSetUp("demo", "digest", NOW.plusSeconds(60))).isFalse();
    assertThat(grants().setUp(NOW)).isEmpty();
  }
}
