package dev.gatehouse.common.installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The records of four stores in memory, with a process that ends before any of the writes. */
class InstallationTest {

  @TempDir Path data;
  private final Map<StoreName, Optional<String>> stored = new EnumMap<>(StoreName.class);
  private int writesLeft = Integer.MAX_VALUE;

  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final class MemoryLocation implements RecordLocation {
    private final StoreName store;

    MemoryLocation(StoreName store) {
      this.store = store;
    }

    @Override
    public Optional<String> read() {
      return text(store);
    }

    @Override
    public void write(String text) {
      if (writesLeft-- <= 0) {
        throw new Killed();
      }
      stored.put(store, Optional.of(text));
    }
  }

  private Installation open() {
    Installation installation = new Installation(new StateFolders(data, data.resolve("audit")), new Random(1));
    for (StoreName store : StoreName.values()) {
      installation.add(store, new MemoryLocation(store));
    }
    return installation;
  }

  private InstallationRecord start() {
    Installation installation = open();
    return installation.raise(installation.require());
  }

  @BeforeEach
  void firstStart() {
    start();
  }

  @Test
  void raisesTheGenerationInEveryStoreAtEachStart() {
    InstallationRecord record = start();
    assertThat(record.generation()).isEqualTo(2);
    assertThat(stored.values()).containsOnly(Optional.of(record.format())).hasSize(4);
  }

  @Test
  void startsAgainWhereverTheProcessEndedWhileTheGenerationWasRaised() {
    for (int first = 0; first <= 5; first++) {
      for (int second = 0; second <= 5; second++) {
        stored.clear();
        writesLeft = Integer.MAX_VALUE;
        start();
        killAfter(first);
        killAfter(second);
        writesLeft = Integer.MAX_VALUE;
        InstallationRecord record = start();
        assertThat(stored.values()).as("%d, %d", first, second).containsOnly(Optional.of(record.format()));
      }
    }
  }

  @Test
  void startsAgainWhereverTheProcessEndedAtTheFirstStart() {
    for (int writes = 0; writes <= 5; writes++) {
      stored.clear();
      killAfter(writes);
      writesLeft = Integer.MAX_VALUE;
      InstallationRecord record = start();
      assertThat(stored.values()).as("after %d writes", writes).containsOnly(Optional.of(record.format()));
    }
  }

  @ParameterizedTest
  @EnumSource(StoreName.class)
  void refusesAnOlderCopy(StoreName store) {
    Optional<String> older = text(store);
    start();
    stored.put(store, older);
    refused(store, "is an older copy: it is of generation 1 beside 2");
  }

  @ParameterizedTest
  @EnumSource(StoreName.class)
  void refusesAStoreWithoutRecordBesideOthers(StoreName store) {
    stored.remove(store);
    refused(store, "has no record of this installation");
  }

  @ParameterizedTest
  @EnumSource(StoreName.class)
  void refusesAStoreOfAnotherInstallation(StoreName store) {
    InstallationRecord foreign = new InstallationRecord("00ff", 1, Optional.empty());
    stored.put(store, Optional.of(foreign.format()));
    refused(store, "belongs to another installation");
  }

  @ParameterizedTest
  @EnumSource(StoreName.class)
  void refusesARecordThatIsDamaged(StoreName store) {
    stored.put(store, text(store).map(text -> text.replace("generation=1", "generation=9")));
    refused(store, "has a record of the installation that is damaged");
  }

  @Test
  void refusesToStartAfterARecoveryThatWasInterrupted() {
    Installation installation = open();
    writesLeft = 2;
    assertThatExceptionOfType(Killed.class)
        .isThrownBy(() -> installation.raise(installation.require(), 2, Set.of(StoreName.ROCKSDB), () -> {}));
    writesLeft = Integer.MAX_VALUE;
    refused(StoreName.ROCKSDB, "was being replaced when that was interrupted");
  }

  @Test
  void namesTheFileTheMeaningAndTheWaysOut() {
    stored.remove(StoreName.H2);
    assertThatExceptionOfType(StoreDamaged.class)
        .isThrownBy(() -> open().require())
        .satisfies(
            damaged ->
                assertThat(damaged.sentences().getFirst())
                    .startsWith(data.resolve("h2") + " has no record")
                    .contains("it holds second factors")
                    .contains("./gatehouse restore", "./gatehouse recover --config DIR --accept-loss h2"));
  }

  @Test
  void missesFilesBeforeAnEngineIsOpened() throws IOException {
    write(StoreName.KEYS, "keys/installation");
    write(StoreName.AUDIT, "audit/installation");
    Files.createDirectories(data.resolve("h2"));
    Files.write(data.resolve("h2/gatehouse.mv.db"), new byte[100]);
    assertThatExceptionOfType(StoreDamaged.class)
        .isThrownBy(this::requireFiles)
        .satisfies(
            damaged ->
                assertThat(damaged.defects())
                    .extracting(defect -> defect.where() + " " + defect.what())
                    .containsExactly(
                        data.resolve("h2/gatehouse.mv.db") + " is cut off or empty",
                        data.resolve("rocksdb/CURRENT") + " is missing"));
  }

  @Test
  void missesTheKeyFolderThatWasEmptied() throws IOException {
    write(StoreName.AUDIT, "audit/installation");
    engines();
    assertThatExceptionOfType(StoreDamaged.class)
        .isThrownBy(this::requireFiles)
        .satisfies(damaged -> assertThat(damaged.defects()).extracting(StoreDamaged.Defect::store).containsExactly(StoreName.KEYS));
  }

  @Test
  void takesOverWholeDataOfTheFormerVersionAndNotHalfOfThem() throws IOException {
    requireFiles();
    engines();
    requireFiles();
    Files.delete(data.resolve("h2/gatehouse.mv.db"));
    assertThatExceptionOfType(StoreDamaged.class)
        .isThrownBy(this::requireFiles)
        .satisfies(damaged -> assertThat(damaged.defects()).extracting(StoreDamaged.Defect::store).containsExactly(StoreName.H2));
  }

  /** The state after {@code federate bulk} before the first start of a node. */
  @Test
  void takesOverADatabaseThatWasFilledBeforeTheFirstStart() throws IOException {
    Files.createDirectories(data.resolve("h2"));
    Files.write(data.resolve("h2/gatehouse.mv.db"), new byte[8192]);
    requireFiles();
  }

  private void requireFiles() {
    new Installation(new StateFolders(data, data.resolve("audit")), new Random(1)).requireFiles();
  }

  private void engines() throws IOException {
    Files.createDirectories(data.resolve("h2"));
    Files.write(data.resolve("h2/gatehouse.mv.db"), new byte[8192]);
    Files.createDirectories(data.resolve("rocksdb"));
    Files.writeString(data.resolve("rocksdb/CURRENT"), "MANIFEST-000005\n");
  }

  private void write(StoreName store, String file) throws IOException {
    Files.createDirectories(data.resolve(file).getParent());
    Files.writeString(data.resolve(file), text(store).orElseThrow());
  }

  private Optional<String> text(StoreName store) {
    return stored.getOrDefault(store, Optional.empty());
  }

  private void killAfter(int writes) {
    writesLeft = writes;
    try {
      start();
    } catch (Killed expected) {
      // As a process that ended there.
    }
  }

  private void refused(StoreName store, String what) {
    assertThatExceptionOfType(StoreDamaged.class)
        .isThrownBy(() -> open().require())
        .satisfies(
            damaged ->
                assertThat(damaged.defects())
                    .extracting(StoreDamaged.Defect::store, StoreDamaged.Defect::what)
                    .isEqualTo(List.of(org.assertj.core.groups.Tuple.tuple(store, what))));
  }
}
