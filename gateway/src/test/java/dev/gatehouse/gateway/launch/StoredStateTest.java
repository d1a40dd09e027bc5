package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.store.RocksStores;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes on data with lost, older, foreign and damaged parts: no start, and a sentence that says which part. */
@Timeout(300)
class StoredStateTest {

  /** A node that has run: each test begins with a copy. */
  @TempDir private static Path ran;

  @TempDir Path folder;
  private Path config;
  private Path data;

  @BeforeAll
  static void firstStart() throws IOException {
    RunningNode.start(config(ran), Map.of()).close();
  }

  @BeforeEach
  void copy() throws IOException {
    copy(ran, folder.resolve("node"));
    config = folder.resolve("node/config");
    data = folder.resolve("node/data");
  }

  @Test
  void startsAgainAndRaisesTheGenerationInEveryStore() throws IOException {
    start();
    assertThat(Files.readString(data.resolve("keys/installation"))).contains("generation=4");
    assertThat(Files.readString(data.resolve("audit/installation"))).contains("generation=4");
    assertThat(Files.readString(data.resolve("audit/audit.jsonl"))).contains("\"InstallationChanged\"", "\"generation\":3");
  }

  @Test
  void refusesMissingFilesOfEachStore() throws IOException {
    for (String lost :
        List.of("h2/gatehouse.mv.db", "rocksdb/CURRENT", "keys/installation", "keys/manifest", "audit/installation")) {
      Path file = data.resolve(lost);
      Files.move(file, folder.resolve("away"));
      refused(file + " is missing", "--accept-loss " + lost.substring(0, lost.indexOf('/')));
      assertThat(file).doesNotExist();
      Files.move(folder.resolve("away"), file);
    }
    start();
  }

  @Test
  void refusesWholeFoldersThatWereLost() throws IOException {
    for (String lost : List.of("h2", "rocksdb", "keys", "audit")) {
      Files.move(data.resolve(lost), folder.resolve("away"));
      refused(data.resolve(lost).toString(), "is missing", "--accept-loss " + lost);
      delete(data.resolve(lost));
      Files.move(folder.resolve("away"), data.resolve(lost));
    }
    start();
  }

  @Test
  void refusesOlderCopiesOfEachStore() throws IOException {
    copy(data, folder.resolve("older"));
    start();
    copy(data, folder.resolve("newest"));
    for (String store : List.of("h2", "rocksdb", "keys", "audit")) {
      delete(data);
      copy(folder.resolve("newest"), data);
      delete(data.resolve(store));
      copy(folder.resolve("older").resolve(store), data.resolve(store));
      refused(data.resolve(store) + " ", "is an older copy", "--accept-loss " + store);
    }
  }

  @Test
  void refusesAnAuditLogFromWhichLinesWereCutOffRemovedOrInWhichOneWasChanged() throws IOException {
    Path log = data.resolve("audit/audit.jsonl");
    List<String> lines = Files.readAllLines(log);
    Files.write(log, lines.subList(0, lines.size() - 1));
    refused(log + " was cut off", "it holds the audit log", "--accept-loss audit");
    Files.write(log, lines.subList(1, lines.size()));
    refused(log + " has event 2 after event 0", "--accept-loss audit");
    Files.writeString(log, String.join("\n", lines).replace("started", "stopped") + "\n");
    refused(log + " was changed", "--accept-loss audit");
    Files.delete(log);
    refused(log + " was cut off or is missing", "--accept-loss audit");
    Files.write(log, lines);
    start();
  }

  @Test
  void refusesAFlippedBitInATextOfTheDatabase() throws IOException {
    Path file = data.resolve("h2/gatehouse.mv.db");
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    // In each copy: which of them counts depends on when the database last compacted its file.
    for (int at = text.indexOf("generation="); at >= 0; at = text.indexOf("generation=", at + 1)) {
      bytes[at] ^= 1;
    }
    Files.write(file, bytes);
    refused(file + " is damaged", "second factors", "--accept-loss h2");
  }

  @Test
  void refusesACopyThatWasMadeWhileTheNodeRan() throws IOException {
    try (RunningNode node = RunningNode.start(config, Map.of())) {
      assertThat(node.ports().idp()).hasSize(1);
      copy(data.resolve("rocksdb"), folder.resolve("running"));
    }
    delete(data.resolve("rocksdb"));
    copy(folder.resolve("running"), data.resolve("rocksdb"));
    refused(data.resolve("rocksdb") + " ");
  }

  @Test
  void refusesAStoreOfAnotherInstallation() throws IOException {
    Path other = config("other");
    RunningNode.start(other, Map.of()).close();
    delete(data.resolve("rocksdb"));
    copy(folder.resolve("other/data/rocksdb"), data.resolve("rocksdb"));
    refused(data.resolve("rocksdb") + " belongs to another installation");
  }

  @Test
  void refusesAKeyFileThatWasEmptiedAndMakesNoNewOne() throws IOException {
    new AdministratorKeys(data, InstantSource.system(), new SecureRandom()).create("first");
    Path file = data.resolve("keys/administrators");
    Files.write(file, new byte[0]);
    refused(file + " is empty", "--accept-loss keys");
    assertThat(Files.size(file)).isZero();
  }

  @Test
  void takesOverDataOfTheFormerVersion() throws IOException {
    delete(data);
    Database.embedded(data).close();
    new RocksStores(data, InstantSource.system()).close();
    new AdministratorKeys(data, InstantSource.system(), new SecureRandom()).create("first");
    start();
    assertThat(Files.readString(data.resolve("keys/manifest"))).contains("administrators\t-");
    start();
  }

  @Test
  void refusesHalfOfTheDataOfTheFormerVersion() throws IOException {
    delete(data);
    new RocksStores(data, InstantSource.system()).close();
    refused(data.resolve("h2/gatehouse.mv.db") + " is missing", "--accept-loss h2");
  }

  @Test
  void saysThatAFileCannotBeOpenedAndNotThatItIsMissing() throws IOException {
    for (String name : List.of("h2/gatehouse.mv.db", "rocksdb/CURRENT", "keys/installation", "keys/sealing", "keys/positions")) {
      Path file = data.resolve(name);
      if (!Files.exists(file)) {
        continue;
      }
      Files.move(file, folder.resolve("away"));
      Files.createSymbolicLink(file, file);
      refused(file + " cannot be opened", "It is not taken for missing");
      Files.delete(file);
      Files.move(folder.resolve("away"), file);
    }
    start();
  }

  private void start() {
    RunningNode.start(config, Map.of()).close();
  }

  private void refused(String... parts) {
    StringWriter err = new StringWriter();
    int exit = Launcher.commandLine().setErr(new PrintWriter(err, true)).execute("run", "--config", config.toString());
    assertThat(exit).isEqualTo(1);
    assertThat(err.toString()).contains(parts).contains("The node was not started.").doesNotContain("\tat ");
  }

  private Path config(String name) throws IOException {
    return config(folder.resolve(name));
  }

  /** A configuration with its data beside it. */
  static Path config(Path folder) throws IOException {
    Path made = folder.resolve("config");
    Files.createDirectories(made.resolve("realms"));
    String node = Files.readString(Path.of("../docker/config/idp/gatehouse.yaml"));
    Files.writeString(
        made.resolve("gatehouse.yaml"),
        node.replaceAll("port: \\d+", "port: 0").replace("data: /var/lib/gatehouse", "data: ../data"));
    Files.copy(Path.of("../docker/config/idp/realms/demo.yaml"), made.resolve("realms/demo.yaml"));
    return made;
  }

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
