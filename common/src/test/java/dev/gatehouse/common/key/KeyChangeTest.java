package dev.gatehouse.common.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.key.KeyChange.Kind;
import dev.gatehouse.common.key.KeyChange.Step;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the audit log says of a key that is made or revoked. */
class KeyChangeTest {

  @Test
  void aKeyOfAnAdministratorHasItsRolesAndItsEnd() {
    List<AdministratorGrant> grants = List.of(AdministratorGrant.parse("viewer"), AdministratorGrant.parse("helpdesk@demo"));
    KeyChange made = new KeyChange(Kind.ADMINISTRATOR, Step.CREATE, "desk", grants, Optional.of(Instant.parse("2030-01-01T00:00:00Z")));
    assertThat(made.action()).isEqualTo("administratorKey.create");
    assertThat(made.details())
        .containsOnlyKeys("name", "before", "after")
        .containsEntry("name", "desk")
        .containsEntry("before", "-")
        .containsEntry("after", "viewer, helpdesk@demo until 2030-01-01T00:00:00Z");
    KeyChange revoked = new KeyChange(Kind.ADMINISTRATOR, Step.REVOKE, "desk", grants, Optional.empty());
    assertThat(revoked.action()).isEqualTo("administratorKey.revoke");
    assertThat(revoked.details()).containsEntry("before", "viewer, helpdesk@demo").containsEntry("after", "-");
  }

  @Test
  void oneForTheRegistrationOfClientsPermitsThat() {
    KeyChange made = new KeyChange(Kind.REGISTRATION, Step.CREATE, "wiki", List.of(), Optional.empty());
    assertThat(made.action()).isEqualTo("registrationKey.create");
    assertThat(made.details()).containsEntry("before", "-").containsEntry("after", "registration");
  }

  @Test
  void wordsAreThoseOfTheInterface() {
    for (Kind kind : Kind.values()) {
      assertThat(Kind.of(kind.word())).contains(kind);
    }
    for (Step step : Step.values()) {
      assertThat(Step.of(step.word())).contains(step);
    }
    assertThat(Kind.of("ADMINISTRATOR")).isEmpty();
    assertThat(Step.of("")).isEmpty();
  }
}
