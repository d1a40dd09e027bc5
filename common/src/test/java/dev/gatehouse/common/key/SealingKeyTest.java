package dev.gatehouse.common.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.store.Race;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;
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

  /** Compared with the JDK's own KDF, Mac and Cipher: texts of earlier versions open, and other nodes derive the same keys. */
  @Test
  void formatsAreThoseOfTheStandardAlgorithms() throws Exception {
    SealingKey key = key();
    key.digest("makes the file", "demo");
    byte[] master = Base64.getDecoder().decode(Files.readString(data.resolve("keys/sealing")).strip());
    byte[] context = ByteBuffer.allocate(17).putInt(2).putInt(4).put("demo".getBytes(UTF_8)).putInt(1).put((byte) 'x').array();

    SecretKey derived =
        KDF.getInstance("HKDF-SHA256")
            .deriveKey("AES", HKDFParameterSpec.expandOnly(part(master, "derive", "Generic"), context, 32));
    assertThat(key.derive("AES", "demo", "x").getEncoded()).isEqualTo(derived.getEncoded());
    assertThat(key.derive("AES", "demo", "x").getAlgorithm()).isEqualTo("AES");

    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(part(master, "digest", "HmacSHA256"));
    mac.update(context);
    assertThat(key.digest("text", "demo", "x")).isEqualTo(HexFormat.of().formatHex(mac.doFinal("text".getBytes(UTF_8))));

    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    byte[] nonce = "twelve bytes".getBytes(UTF_8);
    cipher.init(Cipher.ENCRYPT_MODE, part(master, "seal", "AES"), new GCMParameterSpec(128, nonce));
    cipher.updateAAD(context);
    byte[] text = cipher.doFinal(SECRET);
    byte[] sealed = ByteBuffer.allocate(13 + text.length).put((byte) 1).put(nonce).put(text).array();
    assertThat(key.open(sealed, "demo", "x")).isEqualTo(SECRET);
  }

  private static SecretKey part(byte[] master, String use, String algorithm) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(master, "HmacSHA256"));
    return new SecretKeySpec(mac.doFinal(("gatehouse sealing 1 " + use).getBytes(UTF_8)), algorithm);
  }

  /** Ciphers and MACs are reused, by one thread at a time, also after a text that did not open. */
  @Test
  void threadsDoNotDisturbEachOther() throws Exception {
    SealingKey key = key();
    SealingKey other = SealingKey.inMemory(new SecureRandom());
    String digest = key.digest("text", "demo");
    byte[] derived = key.derive("AES", "demo").getEncoded();
    Set<String> nonces = ConcurrentHashMap.newKeySet();
    Race.of(
        64,
        i ->
            () -> {
              for (int round = 0; round < 50; round++) {
                byte[] mine = ("secret " + i + " " + round).getBytes(UTF_8);
                byte[] sealed = key.seal(mine, "demo", "person" + i);
                assertThat(nonces.add(HexFormat.of().formatHex(sealed, 1, 13))).as("no nonce comes again").isTrue();
                assertThatThrownBy(() -> other.open(sealed, "demo", "person" + i)).isInstanceOf(IllegalStateException.class);
                assertThat(key.open(sealed, "demo", "person" + i)).isEqualTo(mine);
                assertThat(key.digest("text", "demo")).isEqualTo(digest);
                assertThat(key.derive("AES", "demo").getEncoded()).isEqualTo(derived);
              }
              return i;
            });
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
