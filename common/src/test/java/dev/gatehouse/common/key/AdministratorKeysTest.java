package dev.gatehouse.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.store.Race;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdministratorKeysTest {

  @TempDir Path data;

  private final TestTime time = new TestTime();

  private AdministratorKeys keys() {
    return new AdministratorKeys(data, time, new SecureRandom());
  }

  private Creation.Created created(String name) {
    Creation creation = keys().create(name);
    assertThat(creation).isInstanceOf(Creation.Created.class);
    return (Creation.Created) creation;
  }

  @Test
  void knowsAKeyByItsSecretAlone() throws Exception {
    AdministratorKeys running = keys();
    assertThat(running.list()).isEmpty();
    Creation.Created alice = created("alice");
    Creation.Created bob = created("Bob 2");
    assertThat(alice.secret()).matches("gha_[A-Za-z0-9_-]{43}");
    assertThat(running.verify(alice.secret())).contains(alice.key());
    assertThat(running.verify(bob.secret())).map(NamedKey::name).contains("Bob 2");
    assertThat(running.verify("")).isEmpty();
    assertThat(running.verify(alice.key().digest())).isEmpty();
    assertThat(running.verify(alice.secret() + " ")).isEmpty();
    assertThat(running.list()).containsExactly(alice.key(), bob.key());
    Path file = data.resolve("keys/administrators");
    assertThat(Files.readString(file)).doesNotContain(alice.secret());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    assertThat(alice.toString()).doesNotContain(alice.secret());
  }

  @Test
  void revokesAtOnce() {
    AdministratorKeys running = keys();
    Creation.Created alice = created("alice");
    Creation.Created bob = created("bob");
    assertThat(running.verify(alice.secret())).isPresent();
    assertThat(keys().revoke("alice")).contains(alice.key());
    assertThat(running.verify(alice.secret())).isEmpty();
    assertThat(running.verify(bob.secret())).isPresent();
    assertThat(keys().revoke("alice")).isEmpty();
  }

  @Test
  void refusesNamesThatAreTakenOrOdd() {
    created("alice");
    assertThat(keys().refusal("bob")).isEmpty();
    assertThat(keys().create("alice")).isInstanceOf(Creation.Refused.class);
    assertThat(keys().refusal("alice")).contains("there is a key named alice already");
    for (String name : new String[] {"", " ", "a\tb", "a\nb", "-a", "x".repeat(65)}) {
      assertThat(keys().create(name)).as(name).isInstanceOf(Creation.Refused.class);
      assertThat(keys().refusal(name)).as(name).isPresent();
    }
    assertThat(keys().list()).hasSize(1);
  }

  @Test
  void losesNoneOfManyMadeAtOnce() throws Exception {
    Race.of(20, i -> () -> keys().create("key" + i));
    assertThat(keys().list()).hasSize(20);
  }

  @Test
  void aKeyHasGrantsAndEndsByItself() throws Exception {
    List<AdministratorGrant> grants =
        List.of(AdministratorGrant.parse("viewer"), AdministratorGrant.parse("helpdesk@demo"), AdministratorGrant.parse("viewer"));
    Instant end = TestTime.START.plus(Duration.ofDays(1));
    Creation.Created carol = (Creation.Created) keys().create("carol", grants, Optional.of(end));
    assertThat(Files.readAllLines(file()).getLast())
        .isEqualTo("carol\t2026-01-01T12:00:00Z\t" + carol.key().digest() + "\t2026-01-02T12:00:00Z\tviewer,helpdesk@demo");
    assertThat(keys().list()).containsExactly(carol.key());
    time.advance(Duration.ofDays(1).minusMillis(1));
    assertThat(keys().verify(carol.secret())).contains(carol.key());
    assertThat(keys().expired(carol.secret())).isEmpty();
    time.advance(Duration.ofMillis(1));
    assertThat(keys().verify(carol.secret())).isEmpty();
    assertThat(keys().expired(carol.secret())).contains(carol.key());
    assertThat(keys().expired("gha_wrong")).isEmpty();
    assertThat(keys().create("dave", List.of(), Optional.empty())).isInstanceOf(Creation.Refused.class);
  }

  @Test
  void linesOfTheFormerVersionAreAdministratorsOfEverything() throws Exception {
    Creation.Created alice = created("alice");
    Files.writeString(file(), "# Written by gatehouse.\nalice\t2025-05-05T05:05:05Z\t" + alice.key().digest() + "\n");
    NamedKey read = keys().verify(alice.secret()).orElseThrow();
    assertThat(read.grants()).containsExactly(AdministratorGrant.ALL);
    assertThat(read.expiresAt()).isEmpty();
    created("bob");
    assertThat(Files.readString(file())).contains("alice\t2025-05-05T05:05:05Z\t" + alice.key().digest() + "\t-\tadmin\n");
    assertThat(keys().verify(alice.secret())).contains(read);
  }

  @Test
  void aLineThatIsNotUnderstoodGivesNoRight() throws Exception {
    Creation.Created alice = created("alice");
    String begin = "alice\t2025-05-05T05:05:05Z\t" + alice.key().digest();
    for (String end :
        List.of("\t-\troot", "\t-\t", "\t-\t-", "\t-\tadmin,", "\t-\tADMIN", "\t-\tadmin@", "\t-\tadmin@a@b", "\t-\tadmin@*",
            "\tnever\tadmin", "\t\tadmin", "\t-", "\t-\tadmin\tmore")) {
      Files.writeString(file(), begin + end + "\n");
      assertThatThrownBy(() -> keys().verify(alice.secret())).as(end).hasRootCauseInstanceOf(Exception.class);
      assertThat(new KeyManifest(data.resolve("keys")).unusable()).as(end).containsExactly(file());
    }
  }

  @Test
  void rolesIncludeThoseBefore() {
    AdministratorGrant here = AdministratorGrant.parse("operator@demo");
    assertThat(here.permits(AdministratorRole.VIEWER, "demo")).isTrue();
    assertThat(here.permits(AdministratorRole.OPERATOR, "demo")).isTrue();
    assertThat(here.permits(AdministratorRole.ADMIN, "demo")).isFalse();
    assertThat(here.permits(AdministratorRole.VIEWER, "other")).isFalse();
    assertThat(here.permitsEverywhere(AdministratorRole.VIEWER)).isFalse();
    assertThat(AdministratorGrant.ALL.permits(AdministratorRole.ADMIN, "any")).isTrue();
    assertThat(AdministratorGrant.ALL.permitsEverywhere(AdministratorRole.ADMIN)).isTrue();
    assertThatThrownBy(() -> AdministratorGrant.parse("root@demo")).hasMessageContaining("viewer, helpdesk, operator, admin");
  }

  private Path file() {
    return data.resolve("keys/administrators");
  }
}
