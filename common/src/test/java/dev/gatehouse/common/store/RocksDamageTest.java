package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.installation.StoreDamaged;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of RocksDB with flipped bytes, cut off or missing: a store never opens with less than was acknowledged. The files are copied
 * while they are open, which has the effect of kill -9.
 */
class RocksDamageTest {

  private static final int CODES = 300;

  @TempDir Path folder;
  private final TestTime time = new TestTime();
  private Path killed;
  private long position;
  private int tries;

  @BeforeEach
  void fill() throws IOException {
    Path data = folder.resolve("data");
    killed = folder.resolve("killed");
    try (RocksStores stores = new RocksStores(data, time)) {
      SingleUseStore<String> codes = stores.singleUse("codes", new TextCodec());
      for (int i = 0; i < CODES; i++) {
        codes.put("code" + i, "value", time.instant().plusSeconds(600));
        codes.take("code" + i);
        if (i == CODES / 2) {
          stores.flush();
        }
      }
      position = stores.position();
      copy(data, killed);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.resolve("rocksdb"));
    try (Stream<Path> files = Files.list(from.resolve("rocksdb"))) {
      for (Path file : files.filter(f -> !f.endsWith("LOCK")).toList()) {
        Files.copy(file, to.resolve("rocksdb").resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  @Test
  void opensAfterKillWithEveryMark() {
    try (RocksStores stores = new RocksStores(killed, time)) {
      SingleUseStore<String> codes = stores.singleUse("codes", new TextCodec());
      for (int i = 0; i < CODES; i++) {
        assertThat(codes.take("code" + i)).isInstanceOf(TakeResult.Replayed.class);
      }
      assertThat(stores.position()).isGreaterThanOrEqualTo(position);
    }
  }

  @Test
  void refusesAByteFlippedAnywhereInTheLog() throws IOException {
    Path log = newest(".log");
    byte[] whole = Files.readAllBytes(log);
    for (int at : new int[] {0, 20, whole.length / 3, whole.length / 2, whole.length - 30, whole.length - 1}) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 0x40;
      Files.write(log, flipped);
      assertThat(isFound()).as("byte %d of %d", at, whole.length).isTrue();
      Files.write(log, whole);
    }
  }

  @Test
  void refusesAByteFlippedInATable() throws IOException {
    Path table = newest(".sst");
    byte[] bytes = Files.readAllBytes(table);
    bytes[bytes.length / 4] ^= 0x40;
    Files.write(table, bytes);
    refused();
  }

  @Test
  void refusesAByteFlippedInTheManifest() throws IOException {
    Path manifest = newestLike("MANIFEST-");
    byte[] bytes = Files.readAllBytes(manifest);
    bytes[bytes.length / 2] ^= 0x40;
    Files.write(manifest, bytes);
    refused();
  }

  /** A damaged end of the manifest may look like an unfinished change, and a family is lost with it. */
  @Test
  void refusesAByteFlippedAnywhereAtTheEndOfTheManifest() throws IOException {
    Path manifest = newestLike("MANIFEST-");
    byte[] whole = Files.readAllBytes(manifest);
    for (int at = whole.length - 60; at < whole.length; at += 3) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 0x40;
      Files.write(manifest, flipped);
      assertThat(isFoundOrWhole()).as("byte %d of %d", at, whole.length).isTrue();
    }
  }

  @Test
  void refusesAMissingTable() throws IOException {
    Files.move(newest(".sst"), folder.resolve("table"));
    refused();
  }

  @Test
  void refusesFilesWithoutTheOneThatSaysWhichCount() throws IOException {
    Files.delete(killed.resolve("rocksdb/CURRENT"));
    refused();
    assertThat(newest(".sst")).as("nothing was removed").exists();
  }

  @Test
  void forgivesAnUnfinishedLastRecord() throws IOException {
    Files.write(newest(".log"), new byte[] {1, 2, 3, 4, 5, 6}, StandardOpenOption.APPEND);
    opensAfterKillWithEveryMark();
  }

  /** Damage that RocksDB takes for an unfinished end: the recorded position shows that data are missing. */
  @Test
  void knowsByItsPositionThatTheLogWasCutOffZeroedOrRemoved() throws IOException {
    Path log = newest(".log");
    byte[] whole = Files.readAllBytes(log);
    byte[] zeroed = whole.clone();
    Arrays.fill(zeroed, whole.length / 2, whole.length, (byte) 0);
    for (byte[] left : List.of(Arrays.copyOf(whole, whole.length / 2), zeroed, new byte[0])) {
      Files.write(log, left);
      assertThat(isFound()).as("%d bytes left of %d", left.length, whole.length).isTrue();
    }
    Files.delete(log);
    assertThat(isFound()).isTrue();
  }

  private boolean isFound() throws IOException {
    Path tried = folder.resolve("tried" + ++tries);
    try {
      copy(killed, tried);
      try (RocksStores stores = new RocksStores(tried, time)) {
        return stores.position() < position;
      }
    } catch (StoreDamaged e) {
      return true;
    }
  }

  private boolean isFoundOrWhole() throws IOException {
    if (isFound()) {
      return true;
    }
    try (RocksStores stores = new RocksStores(folder.resolve("tried" + tries), time)) {
      return stores.singleUse("codes", new TextCodec()).take("code" + (CODES - 1)) instanceof TakeResult.Replayed<String>;
    }
  }

  private void refused() {
    assertThatExceptionOfType(StoreDamaged.class)
        .isThrownBy(() -> new RocksStores(killed, time).close())
        .withMessageContaining(killed.resolve("rocksdb").toString())
        .withMessageContaining("--accept-loss rocksdb");
  }

  private Path newest(String ending) throws IOException {
    try (Stream<Path> files = Files.list(killed.resolve("rocksdb"))) {
      return files.filter(file -> file.toString().endsWith(ending)).max(Path::compareTo).orElseThrow();
    }
  }

  private Path newestLike(String beginning) throws IOException {
    try (Stream<Path> files = Files.list(killed.resolve("rocksdb"))) {
      return files.filter(file -> file.getFileName().toString().startsWith(beginning)).max(Path::compareTo).orElseThrow();
    }
  }
}
