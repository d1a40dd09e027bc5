package dev.gatehouse.common.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.store.Race;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdministratorKeysTest {

  @TempDir Path data;

  private AdministratorKeys keys() {
    return new AdministratorKeys(data, new TestTime(), new SecureRandom());
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
    assertThat(keys().create("alice")).isInstanceOf(Creation.Refused.class);
    for (String name : new String[] {"", " ", "a\tb", "a\nb", "-a", "x".repeat(65)}) {
      assertThat(keys().create(name)).as(name).isInstanceOf(Creation.Refused.class);
    }
    assertThat(keys().list()).hasSize(1);
  }

  @Test
  void losesNoneOfManyMadeAtOnce() throws Exception {
    Race.of(20, i -> () -> keys().create("key" + i));
    assertThat(keys().list()).hasSize(20);
  }
}
