package dev.gatehouse.gateway.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditFiles;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.H2Database;
import dev.gatehouse.common.installation.FileRecordLocation;
import dev.gatehouse.common.installation.Installation;
import dev.gatehouse.common.installation.StateFolders;
import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.gateway.node.NodeAudit;
import dev.gatehouse.gateway.node.StoredState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A restore that is killed after each of its moves, and repeated. */
@Timeout(120)
class RestoreInterruptedTest {

  private static final Path SAMPLE = Path.of("../docker/config/idp");

  /** More than a restore has. */
  private static final int MOVES = 200;

  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @TempDir Path folder;
  private final TestTime time = new TestTime();
  private final SecureRandom random = new SecureRandom();
  private Node node;
  private StateFolders folders;
  private Path backup;

  /** Data of a node that was backed up, and has a key since then that the backup lacks. */
  @BeforeEach
  void run() throws IOException, ConfigurationInvalid {
    node = node();
    folders = StoredState.folders(node);
    backup = folder.resolve("backup.zip");
    try (JsonLinesAuditLog audit = NodeAudit.open(node, time);
        H2Database database = Database.embedded(node.data())) {
      StoredState state = StoredState.open(node, database, audit, time, random);
      try (RocksStores stores = state.stores()) {
        assertThat(stores.tokensNotBefore()).isBeforeOrEqualTo(time.instant());
        new AdministratorKeys(node.data(), time, random).create("before");
        state.backup(backup);
        state.stopped();
      }
    }
    new AdministratorKeys(node.data(), time, random).create("since");
  }

  @Test
  void theEndOfTheAuditLogStaysAndNoNodeStartsWhereverItIsKilled() throws IOException {
    Path head = folders.of(StoreName.KEYS).resolve(AuditFiles.HEAD);
    byte[] end = Files.readAllBytes(head);
    Map<Path, byte[]> keys = contents(folders.of(StoreName.KEYS));
    int moves = 0;
    while (moves < MOVES && !restores(moves)) {
      assertThat(head).as("after %s moves", moves).hasBinaryContent(end);
      assertThatThrownBy(() -> new Installation(folders, random).requireFiles())
          .as("after %s moves", moves)
          .isInstanceOf(StoreDamaged.class)
          .hasMessageContaining("was being replaced when that was interrupted");
      time.advance(Duration.ofSeconds(1));
      moves++;
    }
    assertThat(moves).isBetween(8, MOVES - 1);
    assertThat(new AdministratorKeys(node.data(), time, random).list()).extracting(key -> key.name()).containsExactly("before");
    requireMovedAside(keys);
    requireWholeLog();
  }

  @Test
  void aRepeatedRestoreSaysWhereTheFormerDataAre() throws IOException {
    assertThat(restored()).noneMatch(line -> line.contains("was interrupted"));
    time.advance(Duration.ofSeconds(1));
    assertThat(restores(4)).isFalse();
    time.advance(Duration.ofSeconds(1));
    String others = "in the other folders of " + node.data().resolve("replaced") + ".";
    assertThat(restored()).anyMatch(line -> line.contains("was interrupted") && line.endsWith(others));
  }

  /** What was in the key folder is in a folder of what was moved aside. */
  private void requireMovedAside(Map<Path, byte[]> keys) throws IOException {
    List<Path> aside = Folders.files(node.data().resolve("replaced"));
    for (Map.Entry<Path, byte[]> key : keys.entrySet()) {
      boolean isHere = false;
      for (Path file : aside) {
        boolean isNamed = file.endsWith(Path.of("keys").resolve(key.getKey()));
        isHere |= isNamed && Arrays.equals(Files.readAllBytes(file), key.getValue());
      }
      assertThat(isHere).as("%s", key.getKey()).isTrue();
    }
  }

  /** The log goes on where it ended, and the first of its lines cannot be removed without notice. */
  private void requireWholeLog() throws IOException {
    AuditFiles files = new AuditFiles(folders.of(StoreName.AUDIT), folders.of(StoreName.KEYS));
    assertThat(files.defect()).isEmpty();
    Path log = folders.of(StoreName.AUDIT).resolve("audit.jsonl");
    List<String> lines = Files.readAllLines(log);
    assertThat(lines.getLast()).contains("\"change\":\"restored\"", "\"seq\":" + lines.size());
    Files.write(log, lines.subList(1, lines.size()));
    assertThat(files.defect()).isPresent();
  }

  /** Returns the files that a restore replaces, by their names below the folder. */
  private static Map<Path, byte[]> contents(Path keys) throws IOException {
    Map<Path, byte[]> found = new TreeMap<>();
    for (Path file : Folders.files(keys)) {
      found.put(keys.relativize(file), Files.readAllBytes(file));
    }
    found.remove(Path.of(AuditFiles.HEAD));
    assertThat(found).containsKeys(Path.of(FileRecordLocation.NAME), Path.of("administrators"), Path.of("manifest"));
    return found;
  }

  /** Returns whether a restore ends within so many moves; otherwise it is killed. */
  private boolean restores(int moves) {
    AtomicInteger left = new AtomicInteger(moves);
    try {
      restore(
          (from, to) -> {
            if (left.getAndDecrement() == 0) {
              throw new Killed();
            }
            Folders.move(from, to);
          });
      return true;
    } catch (Killed e) {
      return false;
    }
  }

  private List<String> restored() {
    return restore(Folders::move);
  }

  private List<String> restore(Restore.Move move) {
    try (JsonLinesAuditLog audit = NodeAudit.open(node, time)) {
      return new ArrayList<>(new Restore(folders, audit, time, random, move).run(backup));
    }
  }

  /** The sample configuration with its data beside it. */
  private Node node() throws IOException, ConfigurationInvalid {
    Path config = folder.resolve("config");
    Files.createDirectories(config.resolve("realms"));
    String yaml = Files.readString(SAMPLE.resolve("gatehouse.yaml"));
    Files.writeString(config.resolve("gatehouse.yaml"), yaml.replace("data: /var/lib/gatehouse", "data: ../data"));
    Files.copy(SAMPLE.resolve("realms/demo.yaml"), config.resolve("realms/demo.yaml"));
    return new ConfigurationFiles(config, Map.of()).load().node();
  }
}
