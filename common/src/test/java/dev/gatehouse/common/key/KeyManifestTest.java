package dev.gatehouse.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyManifestTest {

  @TempDir Path data;
  private final TestTime time = new TestTime();
  private final SecureRandom random = new SecureRandom();
  private Path keys;
  private KeyManifest manifest;

  @BeforeEach
  void firstKeys() {
    keys = data.resolve("keys");
    manifest = new KeyManifest(keys);
    folder("demo").load();
    new SealingKey(data, random).digest("text");
    new AdministratorKeys(data, time, random).create("first");
    manifest.adopt();
  }

  private KeyFolder folder(String realm) {
    return new KeyFolder(new FileKeyPlace(data), realm, KeyUse.IDP_SIGNING, KeyAlgorithm.P_256, time, random);
  }

  private Path pem() throws IOException {
    try (Stream<Path> files = Files.list(keys.resolve("demo/idp-signing"))) {
      return files.filter(file -> file.toString().endsWith(".pem")).findFirst().orElseThrow();
    }
  }

  @Test
  void listsTheKeysOfTheFormerVersionAndThoseThatAreMadeLater() {
    assertThat(manifest.problems()).isEmpty();
    folder("another").load();
    KeyFolder demo = folder("demo");
    demo.prepare();
    demo.promote();
    demo.retire();
    assertThat(manifest.problems()).isEmpty();
  }

  @Test
  void findsALostRing() throws IOException {
    Files.delete(keys.resolve("demo/idp-signing/ring"));
    found(keys.resolve("demo/idp-signing/ring"), "is missing");
    assertThatThrownBy(() -> folder("demo").load()).hasMessageContaining("no new keys are made in place of lost ones");
  }

  @Test
  void findsALostKey() throws IOException {
    Path pem = pem();
    Files.delete(pem);
    found(pem, "is missing");
  }

  @Test
  void findsAnEmptiedKey() throws IOException {
    Path pem = pem();
    Files.write(pem, new byte[0]);
    found(pem, "is empty");
  }

  @Test
  void findsAFlippedByteInAnyKeyFile() throws IOException {
    for (Path file : List.of(pem(), keys.resolve("sealing"))) {
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length / 2] ^= 1;
      Files.write(file, bytes);
      found(file, "was changed or damaged since it was made");
      bytes[bytes.length / 2] ^= 1;
      Files.write(file, bytes);
    }
  }

  @Test
  void findsARingThatNamesAKeyThatIsNotThere() throws IOException {
    Path ring = keys.resolve("demo/idp-signing/ring");
    Files.writeString(ring, "current=other\n");
    assertThat(manifest.problems()).singleElement().satisfies(problem -> assertThat(problem.file()).isEqualTo(ring));
  }

  @Test
  void makesNoSealingKeyInPlaceOfALostOne() throws IOException {
    Files.delete(keys.resolve("sealing"));
    found(keys.resolve("sealing"), "is missing");
    assertThatThrownBy(() -> new SealingKey(data, random).digest("text"))
        .hasRootCauseInstanceOf(java.nio.file.NoSuchFileException.class);
    assertThat(keys.resolve("sealing")).doesNotExist();
  }

  @Test
  void tellsAListOfAdministratorsWithoutKeysFromAnEmptiedOne() throws IOException {
    AdministratorKeys administrators = new AdministratorKeys(data, time, random);
    administrators.revoke("first");
    assertThat(administrators.list()).isEmpty();
    assertThat(manifest.problems()).isEmpty();
    Files.write(keys.resolve("administrators"), new byte[0]);
    found(keys.resolve("administrators"), "is empty");
    Files.delete(keys.resolve("administrators"));
    found(keys.resolve("administrators"), "is missing");
    assertThatThrownBy(administrators::list).hasStackTraceContaining("is missing");
  }

  /** The node continues with the keys in memory; the manifest, and with it the health check, reports the missing ones. */
  @Test
  void keysThatAreLostWhileTheNodeRunsStayInUseAndAreMissed() throws IOException {
    WatchedKeys held = new WatchedKeys(folder("demo"), time);
    KeyFolder.Ring before = held.ring();
    Files.delete(pem());
    Files.delete(keys.resolve("demo/idp-signing/ring"));
    for (int i = 0; i < 3; i++) {
      time.advance(java.time.Duration.ofMinutes(1));
      assertThat(held.ring()).isEqualTo(before);
    }
    assertThat(manifest.missing()).hasSize(2);
    assertThat(keys.resolve("demo/idp-signing/ring")).doesNotExist();
  }

  @Test
  void listsNothingWithoutAManifest() throws IOException {
    Files.delete(keys.resolve(KeyManifest.NAME));
    Files.delete(keys.resolve("sealing"));
    assertThat(manifest.isKept()).isFalse();
    assertThat(manifest.problems()).isEmpty();
    new SealingKey(data, random).digest("text");
    assertThat(keys.resolve("sealing")).exists();
  }

  @Test
  void listsNoFilesOfOperators() throws IOException {
    List<String> names = List.of("README", "tls.pem", "backup/old.pem", "demo/notes.txt", "demo/idp-signing/mine.pem", "demo/other/x.pem");
    for (String name : names) {
      Path file = keys.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "of the operator");
    }
    manifest.adopt();
    assertThat(Files.readString(keys.resolve("manifest"))).doesNotContain(names).contains("sealing\t", "demo/idp-signing/ring\t");
    assertThat(manifest.problems()).isEmpty();
    for (String name : names) {
      Files.delete(keys.resolve(name));
    }
    assertThat(manifest.problems()).isEmpty();
    assertThat(manifest.missing()).isEmpty();
  }

  @Test
  void missesNoFilesOfOperatorsThatTheFormerVersionListed() throws IOException {
    Files.writeString(
        keys.resolve("manifest"),
        Files.readString(keys.resolve("manifest")) + "README\t-\ntls.pem\tabc\ndemo/idp-signing/mine.pem\tabc\n");
    assertThat(manifest.missing()).isEmpty();
    assertThat(manifest.problems()).isEmpty();
    assertThat(manifest.unusable()).isEmpty();
    Path pem = pem();
    Files.delete(pem);
    found(pem, "is missing");
  }

  private void found(Path file, String what) {
    assertThat(manifest.problems()).containsExactly(new KeyManifest.Problem(file, what));
  }
}
