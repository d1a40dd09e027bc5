package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.installation.StoreDamaged;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The traces of kill -9 at each step of RocksDB's first creation, and damage that looks similar. */
class RocksFirstCreationTest {

  @TempDir Path data;
  private final TestTime time = new TestTime();

  private Path rocksdb() throws IOException {
    return Files.createDirectories(data.resolve("rocksdb"));
  }

  private void opens() {
    try (RocksStores stores = new RocksStores(data, time)) {
      stores.singleUse("codes", new TextCodec()).put("code", "value", time.instant().plusSeconds(60));
    }
    try (RocksStores stores = new RocksStores(data, time)) {
      assertThat(stores.singleUse("codes", new TextCodec()).peek("code")).contains("value");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "LOCK", "LOCK LOG", "LOCK LOG IDENTITY", "LOCK LOG IDENTITY MANIFEST-000001",
        "LOCK LOG MANIFEST-000001 000001.dbtmp", "LOCK LOG IDENTITY MANIFEST-000001 000001.dbtmp"
      })
  void beginsAgainWhereNothingWasEverAcknowledged(String files) throws IOException {
    for (String file : files.isEmpty() ? new String[0] : files.split(" ", -1)) {
      boolean isEmpty = file.equals("LOCK");
      Files.writeString(rocksdb().resolve(file), isEmpty ? "" : file.endsWith(".dbtmp") ? "MANIFEST-0000" : "cut off");
    }
    opens();
  }

  /** Each prefix of the sequence in which a first creation creates its files, as long as there is no CURRENT. */
  @Test
  void beginsAgainFromWhatRocksDbItselfHasWritten() throws IOException, RocksDBException {
    Path made = Files.createDirectories(data.resolve("made"));
    RocksDB.loadLibrary();
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, made.toString())) {
      assertThat(db.getLatestSequenceNumber()).isZero();
    }
    assertThat(names(made)).as("the first manifest is replaced before anything is taken").doesNotContain("MANIFEST-000001");
    byte[] manifest = Files.readAllBytes(first(made, "MANIFEST-"));
    for (int length = 0; length <= manifest.length; length += 7) {
      Path cut = data.resolve("cut" + length);
      Path folder = Files.createDirectories(cut.resolve("rocksdb"));
      Files.write(folder.resolve("MANIFEST-000001"), Arrays.copyOf(manifest, length));
      new RocksStores(cut, time).close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"MANIFEST-000001 000004.log", "MANIFEST-000005", "MANIFEST-000001 MANIFEST-000005", "000004.log", "000009.sst"})
  void refusesWhatMayHaveHeldSomething(String files) throws IOException {
    Map<String, String> before = new TreeMap<>();
    for (String file : files.split(" ", -1)) {
      Files.writeString(rocksdb().resolve(file), "content");
      before.put(file, "content");
    }
    assertThatExceptionOfType(StoreDamaged.class)
        .isThrownBy(() -> new RocksStores(data, time))
        .withMessageContaining(data.resolve("rocksdb/CURRENT") + " is missing");
    for (String file : before.keySet()) {
      assertThat(rocksdb().resolve(file)).hasContent("content");
    }
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static Path first(Path folder, String prefix) throws IOException {
    return folder.resolve(names(folder).stream().filter(name -> name.startsWith(prefix)).findFirst().orElseThrow());
  }
}
