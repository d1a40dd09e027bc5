package dev.gatehouse.common.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.snapshot.LocalSnapshot.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalSnapshotTest {

  private static final byte[] RECORD = "record".getBytes(StandardCharsets.UTF_8);
  private static final byte[] CONTENT = "secret content".getBytes(StandardCharsets.UTF_8);

  private final SecureRandom random = new SecureRandom();
  private final SealingKey master = SealingKey.inMemory(random);
  @TempDir private Path folder;

  private LocalSnapshot snapshot() {
    return new LocalSnapshot(folder.resolve("snapshot"), master, "one");
  }

  private Path file(String name) {
    return folder.resolve("snapshot").resolve(name);
  }

  @Test
  void whatWasKeptIsReadAfterARestartAndIsSealedOnDisk() throws IOException {
    LocalSnapshot before = snapshot();
    before.begin(1, RECORD);
    before.keep(Part.REVISION, 7, CONTENT);

    LocalSnapshot.Kept kept = snapshot().read(Part.REVISION).orElseThrow();
    assertThat(kept.version()).isEqualTo(7);
    assertThat(kept.content()).isEqualTo(CONTENT);
    assertThat(snapshot().read(Part.KEYS)).isEmpty();
    assertThat(new String(Files.readAllBytes(file("revision")), StandardCharsets.ISO_8859_1)).doesNotContain("secret");
  }

  @Test
  void anOlderVersionChangesNothingAndAnOlderFileIsRefused() throws IOException {
    LocalSnapshot snapshot = snapshot();
    snapshot.begin(1, RECORD);
    snapshot.keep(Part.REVISION, 7, CONTENT);
    byte[] older = Files.readAllBytes(file("revision"));
    snapshot.keep(Part.REVISION, 8, CONTENT);
    snapshot.keep(Part.REVISION, 7, CONTENT);
    snapshot().keep(Part.REVISION, 7, CONTENT);
    assertThat(snapshot().read(Part.REVISION).orElseThrow().version()).isEqualTo(8);

    Files.write(file("revision"), older);
    assertThatThrownBy(() -> snapshot().read(Part.REVISION))
        .isInstanceOf(SnapshotRefused.class)
        .hasMessageContaining("is older than what this node has seen (version 7 after 8): remove the folder");
  }

  @Test
  void aChangedOrMissingFileOrThatOfAnotherDeploymentOrMasterKeyIsRefused() throws IOException {
    LocalSnapshot snapshot = snapshot();
    snapshot.begin(1, RECORD);
    snapshot.keep(Part.KEYS, 3, CONTENT);
    assertThatThrownBy(() -> new LocalSnapshot(folder.resolve("snapshot"), master, "two").read(Part.KEYS))
        .hasMessageContaining("belongs to the deployment one, and this node to two");
    assertThatThrownBy(() -> new LocalSnapshot(folder.resolve("snapshot"), SealingKey.inMemory(random), "one").read(Part.KEYS))
        .hasMessageContaining("was changed, or another master key sealed it");
    byte[] seen = Files.readAllBytes(file("seen"));
    Files.delete(file("seen"));
    assertThatThrownBy(() -> snapshot().read(Part.KEYS)).hasMessageContaining("seen is missing");
    Files.write(file("seen"), seen);
    byte[] changed = Files.readAllBytes(file("keys"));
    changed[changed.length - 1] ^= 1;
    Files.write(file("keys"), changed);
    assertThatThrownBy(() -> snapshot().read(Part.KEYS)).hasMessageContaining("was changed, or another master key sealed it");
    Files.delete(file("keys"));
    assertThatThrownBy(() -> snapshot().read(Part.KEYS)).hasMessageContaining("keys is missing");
  }

  @Test
  void anotherRecordOfTheInstallationBeginsAnew() {
    LocalSnapshot snapshot = snapshot();
    snapshot.begin(1, RECORD);
    snapshot.keep(Part.REVISION, 7, CONTENT);
    LocalSnapshot same = snapshot();
    same.begin(1, RECORD);
    assertThat(same.read(Part.REVISION)).isPresent();

    // The database was restored from a backup, and counts from there.
    LocalSnapshot recovered = snapshot();
    recovered.begin(2, RECORD);
    assertThat(recovered.read(Part.REVISION)).isEmpty();
    recovered.keep(Part.REVISION, 5, CONTENT);
    assertThat(snapshot().read(Part.REVISION).orElseThrow().version()).isEqualTo(5);
  }

  @Test
  void whatCannotBeKeptIsAProblem() {
    LocalSnapshot snapshot = snapshot();
    snapshot.begin(1, RECORD);
    snapshot.keep(Part.REVISION, 1, new byte[(64 << 20) + 1]);
    assertThat(snapshot.problem().orElseThrow()).contains("(revision): it has 64 MB of at most 64");
    snapshot.keep(Part.REVISION, 2, CONTENT);
    assertThat(snapshot.problem()).isEmpty();
  }

  @Test
  void whatCouldNotBeKeptIsTriedAgainWithTheNextPart() throws IOException {
    LocalSnapshot snapshot = snapshot();
    snapshot.begin(1, RECORD);
    Path inTheWay = Files.createDirectories(file("revision").resolve("in the way"));
    snapshot.keep(Part.REVISION, 8, CONTENT);
    snapshot.keep(Part.SEQUENCE, 1, CONTENT);
    assertThat(snapshot.problem().orElseThrow()).contains("(revision)");
    Files.delete(inTheWay);
    Files.delete(file("revision"));
    snapshot.keep(Part.SEQUENCE, 2, CONTENT);
    assertThat(snapshot.problem()).isEmpty();
    assertThat(snapshot().read(Part.REVISION).orElseThrow().version()).isEqualTo(8);
  }
}
