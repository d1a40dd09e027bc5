package dev.gatehouse.common.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.store.Race;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealingKeyTest {

  private static final byte[] SECRET = "twenty bytes of a key".getBytes(UTF_8);

  @TempDir Path data;

  private SealingKey key() {
    return new SealingKey(data, new SecureRandom());
  }

  @Test
  void whatWasSealedOpensAlsoAfterARestart() throws Exception {
    byte[] sealed = key().seal(SECRET, "demo", "alice");
    assertThat(key().open(sealed, "demo", "alice")).isEqualTo(SECRET);
    assertThat(new String(sealed, UTF_8)).doesNotContain("twenty");
    assertThat(key().seal(SECRET, "demo", "alice")).isNotEqualTo(sealed);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("keys/sealing"))))
        .isEqualTo("rw-------");
  }

  @Test
  void aSecretOfAnotherContextDoesNotOpen() {
    byte[] sealed = key().seal(SECRET, "demo", "alice");
    assertDoesNotOpen(sealed, "demo", "bob");
    assertDoesNotOpen(sealed, "other", "alice");
    assertDoesNotOpen(sealed, "dem", "oalice");
    assertDoesNotOpen(sealed, "demo", "alice", "");
  }

  @Test
  void aChangedSecretDoesNotOpen() {
    byte[] sealed = key().seal(SECRET, "demo");
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 1;
      assertDoesNotOpen(changed, "demo");
    }
    assertDoesNotOpen(new byte[0], "demo");
    assertDoesNotOpen(new byte[20], "demo");
  }

  @Test
  void anotherKeyDoesNotOpen() throws Exception {
    byte[] sealed = key().seal(SECRET, "demo");
    Files.delete(data.resolve("keys/sealing"));
    assertDoesNotOpen(sealed, "demo");
  }

  @Test
  void aBrokenFileIsReportedAndNotReplaced() throws Exception {
    key().seal(SECRET, "demo");
    Files.writeString(data.resolve("keys/sealing"), "AAAA\n");
    assertThatThrownBy(() -> key().seal(SECRET, "demo")).hasMessageContaining("sealing");
    assertThat(Files.readString(data.resolve("keys/sealing"))).isEqualTo("AAAA\n");
  }

  @Test
  void digestsAreKeyedAndOfOneContext() {
    String digest = key().digest("code", "demo", "alice");
    assertThat(digest).matches("[0-9a-f]{64}").isEqualTo(key().digest("code", "demo", "alice"));
    assertThat(key().digest("code", "demo", "bob")).isNotEqualTo(digest);
    assertThat(new SealingKey(data.resolve("other"), new SecureRandom()).digest("code", "demo", "alice"))
        .isNotEqualTo(digest);
  }

  @Test
  void ofParallelStartsOneMakesTheKey() throws Exception {
    assertThat(new HashSet<>(Race.of(8, i -> () -> key().digest("x")))).hasSize(1);
  }

  private void assertDoesNotOpen(byte[] sealed, String... context) {
    assertThatThrownBy(() -> key().open(sealed, context)).isInstanceOf(IllegalStateException.class);
  }
}
