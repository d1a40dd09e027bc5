package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.disk.ForcedFiles;
import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.installation.FileRecordLocation;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.JdbcSecondFactors;
import dev.gatehouse.common.store.RocksStores;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code recover}, {@code backup} and {@code restore} on data of a node that ran. */
@Timeout(300)
class RecoveryCommandsTest {

  private static final PersonId ALICE = new PersonId("alice-uuid");
  private static final PersonId BOB = new PersonId("bob-uuid");

  /** A node that has run: each test begins with a copy. */
  @TempDir private static Path ran;

  @TempDir Path folder;
  private Path config;
  private Path data;

  @BeforeAll
  static void firstStart() throws IOException {
    RunningNode.start(StoredStateTest.config(ran), Map.of()).close();
    Path data = ran.resolve("data");
    withFactors(data, factors -> enrol(factors, ALICE));
    new AdministratorKeys(data, InstantSource.system(), new SecureRandom()).create("first");
    new SealingKey(data, new SecureRandom()).digest("text");
  }

  @BeforeEach
  void copy() throws IOException {
    StoredStateTest.copy(ran, folder.resolve("node"));
    config = folder.resolve("node/config");
    data = folder.resolve("node/data");
  }

  @Test
  void goesOnWithoutRocksDbAndRefusesWhatWasIssuedBefore() throws IOException {
    StoredStateTest.delete(data.resolve("rocksdb"));
    refused();
    Instant before = Instant.now();
    assertThat(run("recover", "--config", config.toString(), "--accept-loss", "rocksdb"))
        .contains("Lost: rocksdb (sessions", "All sessions have ended", "refused");
    started();
    try (RocksStores stores = new RocksStores(data, InstantSource.system())) {
      assertThat(stores.tokensNotBefore()).isAfterOrEqualTo(before);
      assertThat(stores.replayCache().completeSince()).isAfterOrEqualTo(before);
    }
    assertThat(Files.readString(data.resolve("audit/audit.jsonl"))).contains("\"change\":\"recovered\",\"detail\":\"rocksdb\"");
    withFactors(factors -> assertThat(factors.needsConfirmation("demo", BOB)).isFalse());
  }

  @Test
  void goesOnWithoutTheDatabaseAndLetsNobodySetUpASecondFactorUnasked() throws IOException {
    Files.write(data.resolve("h2/gatehouse.mv.db"), new byte[0]);
    refused();
    assertThat(run("recover", "--config", config.toString(), "--accept-loss", "h2"))
        .contains("Lost: h2 (second factors", "; rocksdb (", "Second factors are to be confirmed");
    started();
    withFactors(
        factors -> {
          assertThat(factors.of("demo", ALICE)).isEmpty();
          assertThat(factors.needsConfirmation("demo", ALICE)).isTrue();
          factors.confirm("demo", Optional.of(ALICE), Instant.now());
          factors.confirm("demo", Optional.of(ALICE), Instant.now());
          assertThat(factors.needsConfirmation("demo", ALICE)).isFalse();
          assertThat(factors.needsConfirmation("demo", BOB)).isTrue();
          factors.confirm("demo", Optional.empty(), Instant.now());
          assertThat(factors.needsConfirmation("demo", BOB)).isFalse();
          assertThat(factors.needsConfirmation("other", BOB)).isTrue();
        });
  }

  @Test
  void goesOnWithoutTheSealingKeyAndDropsWhatItSealed() throws IOException {
    Files.delete(data.resolve("keys/sealing"));
    refused();
    assertThat(run("recover", "--config", config.toString(), "--accept-loss", "keys"))
        .contains("sealing is lost", "second factors and passwords", "Second factors are to be confirmed");
    started();
    withFactors(factors -> assertThat(factors.needsConfirmation("demo", ALICE)).isTrue());
    assertThat(new AdministratorKeys(data, InstantSource.system(), new SecureRandom()).list()).hasSize(1);
  }

  @Test
  void goesOnWithoutTheWholeKeyFolder() throws IOException {
    StoredStateTest.delete(data.resolve("keys"));
    refused();
    run("recover", "--config", config.toString(), "--accept-loss", "keys");
    started();
    withFactors(factors -> assertThat(factors.needsConfirmation("demo", ALICE)).isTrue());
  }

  @Test
  void goesOnWithoutTheAuditLogAndEndsNothing() throws IOException {
    StoredStateTest.delete(data.resolve("audit"));
    refused();
    assertThat(run("recover", "--config", config.toString(), "--accept-loss", "audit"))
        .contains("Lost: audit (the audit log).")
        .doesNotContain("sessions have ended");
    started();
  }

  @Test
  void goesOnWithWhatIsLeftOfAnAuditLogThatWasCutOffAndSaysSoInIt() throws IOException {
    Path log = data.resolve("audit/audit.jsonl");
    List<String> lines = Files.readAllLines(log);
    Files.write(log, lines.subList(0, 1));
    refused();
    assertThat(fails("recover", "--config", config.toString(), "--accept-loss", "rocksdb"))
        .contains(log + " was cut off", "Nothing was changed");
    assertThat(run("recover", "--config", config.toString(), "--accept-loss", "audit"))
        .contains("Lost: audit (the audit log).", "The audit log begins anew; what is left of it is in " + data.resolve("audit/replaced-"))
        .doesNotContain("sessions have ended");
    assertThat(Files.readAllLines(log).getFirst())
        .contains("\"change\":\"recovered\",\"detail\":\"audit\"", "\"seq\":" + (lines.size() + 1));
    started();
  }

  @Test
  void acceptsNoLossBesideStoresThatAreOlderThanTheRest() throws IOException {
    StoredStateTest.copy(data, folder.resolve("older"));
    started();
    for (String store : List.of("h2", "rocksdb")) {
      StoredStateTest.delete(data.resolve(store));
      StoredStateTest.copy(folder.resolve("older").resolve(store), data.resolve(store));
    }
    StoredStateTest.delete(data.resolve("audit"));
    assertThat(fails("recover", "--config", config.toString(), "--accept-loss", "audit"))
        .contains(data.resolve("h2") + " is an older copy", data.resolve("rocksdb") + " is an older copy", "Nothing was changed");
    refused();
  }

  @Test
  void keepsTheKeysOfTheFormerVersion() throws IOException {
    for (String file : List.of("keys/installation", "keys/manifest", "keys/positions", "audit/installation")) {
      Files.deleteIfExists(data.resolve(file));
    }
    StoredStateTest.delete(data.resolve("h2"));
    Database.embedded(data).close();
    StoredStateTest.delete(data.resolve("rocksdb"));
    run("recover", "--config", config.toString(), "--accept-loss", "rocksdb");
    assertThat(Files.readString(data.resolve("keys/manifest"))).contains("sealing");
    started();
  }

  @Test
  void recoversAndRestoresNothingUnderARunningNode() throws IOException {
    run("backup", "--config", config.toString(), "--to", folder.resolve("backup.zip").toString());
    try (RunningNode node = RunningNode.start(config, Map.of())) {
      assertThat(node.ports().idp()).hasSize(1);
      assertThat(fails("recover", "--config", config.toString(), "--accept-loss", "rocksdb")).contains("stop it first");
      assertThat(fails("restore", "--config", config.toString(), "--from", folder.resolve("backup.zip").toString()))
          .contains("stop it first");
    }
    started();
  }

  @Test
  void restoresABackupThatWasMadeWhileTheNodeRan() throws IOException {
    Path backup = folder.resolve("backup.zip");
    try (RunningNode node = RunningNode.start(config, Map.of())) {
      assertThat(node.ports().idp()).hasSize(1);
      run("backup", "--config", config.toString(), "--to", backup.toString());
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backup))).isEqualTo("rw-------");
    withFactors(factors -> enrol(factors, BOB));
    Instant before = Instant.now();
    assertThat(run("restore", "--config", config.toString(), "--from", backup.toString()))
        .contains("What changed since the backup is lost", "All sessions have ended", "recovery codes were removed")
        .contains("Links for new passwords, and the set-up link, count no longer", "keys admin --list");
    started();
    withFactors(
        factors -> {
          assertThat(factors.of("demo", BOB)).isEmpty();
          assertThat(factors.of("demo", ALICE)).hasSize(1);
          assertThat(factors.recoveryCodesLeft("demo", ALICE)).isZero();
          long step = Math.floorDiv(before.getEpochSecond(), 30);
          assertThat(factors.accept("demo", ALICE, "factor-" + ALICE.value(), step, before)).as("a step of before").isFalse();
          assertThat(factors.accept("demo", ALICE, "factor-" + ALICE.value(), step + 20, before)).isTrue();
        });
    try (RocksStores stores = new RocksStores(data, InstantSource.system())) {
      assertThat(stores.tokensNotBefore()).isAfterOrEqualTo(before);
    }
    assertThat(Files.readString(data.resolve("audit/audit.jsonl"))).contains("\"backed-up\"", "\"restored\"");
  }

  @Test
  void restoresIntoAnEmptyFolderAndNotIntoAnotherInstallation() throws IOException {
    Path backup = folder.resolve("backup.zip");
    run("backup", "--config", config.toString(), "--to", backup.toString());
    Path other = config("other");
    run("restore", "--config", other.toString(), "--from", backup.toString());
    RunningNode.start(other, Map.of()).close();
    Path third = config("third");
    RunningNode.start(third, Map.of()).close();
    assertThat(fails("restore", "--config", third.toString(), "--from", backup.toString()))
        .contains("belongs to another installation", "Nothing was changed");
    RunningNode.start(third, Map.of()).close();
  }

  @Test
  void restoresNoBackupThatIsDamaged() throws IOException {
    Path backup = folder.resolve("backup.zip");
    run("backup", "--config", config.toString(), "--to", backup.toString());
    byte[] whole = Files.readAllBytes(backup);
    for (int at : List.of(100, whole.length / 2, whole.length - 10)) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 0x40;
      Files.write(backup, flipped);
      assertThat(fails("restore", "--config", config.toString(), "--from", backup.toString())).isNotEmpty();
    }
    started();
    withFactors(factors -> assertThat(factors.of("demo", ALICE)).hasSize(1));
  }

  @Test
  void noNodeAndNoSecondCommandWorkOnDataThatAreBeingReplaced() throws IOException {
    Path backup = folder.resolve("backup.zip");
    run("backup", "--config", config.toString(), "--to", backup.toString());
    for (String command : List.of("restore", "recover")) {
      try (StoppedNode working = StoppedNode.of(config, command)) {
        String said = "./gatehouse " + command + " works on the ";
        assertThat(working.node().data()).isEqualTo(data.toAbsolutePath().normalize());
        assertThat(fails("run", "--config", config.toString())).contains(said);
        assertThat(fails("restore", "--config", config.toString(), "--from", backup.toString())).contains(said);
        assertThat(fails("recover", "--config", config.toString(), "--accept-loss", "rocksdb")).contains(said);
        assertThat(fails("backup", "--config", config.toString(), "--to", folder.resolve("b").toString())).contains(said);
        assertThat(fails("keys", "admin", "--config", config.toString(), "--name", "second")).contains(said);
      }
    }
    started();
  }

  @Test
  void aRepeatedRecoveryKeepsTheRecordOfTheAuditLogsEndAndNoKeyIsMadeBeforeIt() throws IOException {
    FileRecordLocation keys = new FileRecordLocation(data.resolve("keys"));
    InstallationRecord before = keys.read().flatMap(InstallationRecord::parse).orElseThrow();
    keys.write(before.raisingTo(before.generation() + 1, Set.of(StoreName.KEYS, StoreName.ROCKSDB)).format());
    refused();
    assertThat(fails("keys", "admin", "--config", config.toString(), "--name", "second"))
        .contains("was interrupted: give the same command again");
    run("recover", "--config", config.toString(), "--accept-loss", "keys");
    started();
    Path log = data.resolve("audit/audit.jsonl");
    List<String> lines = Files.readAllLines(log);
    Files.write(log, lines.subList(1, lines.size()));
    assertThat(fails("run", "--config", config.toString())).contains(log + " has event 2 after event 0");
  }

  @Test
  void keepsTheLockUntilTheNodeHasStoppedAndGivesItBackWhereAStartFails() throws IOException {
    StoredStateTest.delete(data.resolve("audit"));
    refused();
    assertThat(DataLock.holder(data)).isEmpty();
    run("recover", "--config", config.toString(), "--accept-loss", "audit");
    try (RunningNode node = RunningNode.start(config, Map.of())) {
      assertThat(node.ports().idp()).hasSize(1);
      assertThat(DataLock.holder(data)).contains(DataLock.NODE);
    }
    assertThat(DataLock.holder(data)).isEmpty();
  }

  @Test
  void archiveAndRestoredFilesAreOnDiskBeforeSuccessIsSaid() throws IOException {
    Path backup = folder.resolve("backup.zip");
    try (ForcedFiles forced = new ForcedFiles()) {
      run("backup", "--config", config.toString(), "--to", backup.toString());
      assertThat(forced.paths()).anyMatch(path -> path.startsWith(folder + "/.backup"));
      assertThat(forced.paths()).contains(folder.toString());
    }
    Path manifest = data.resolve("keys/manifest");
    Files.delete(manifest);
    try (ForcedFiles forced = new ForcedFiles()) {
      run("restore", "--config", config.toString(), "--from", backup.toString());
      String staged = data.toAbsolutePath().normalize() + "/.restore/";
      assertThat(forced.paths())
          .contains(staged + "keys/manifest", staged + "keys/sealing", staged + "h2/gatehouse.mv.db", staged + "keys", staged + "h2")
          .contains(data.toAbsolutePath().normalize().toString());
    }
    started();
  }

  private interface Work {
    void on(SecondFactors factors);
  }

  private void withFactors(Work work) {
    withFactors(data, work);
  }

  private static void withFactors(Path data, Work work) {
    try (Database database = Database.embedded(data)) {
      work.on(new JdbcSecondFactors(database));
    }
  }

  private static void enrol(SecondFactors factors, PersonId person) {
    factors.add("demo", person, new Factor("factor-" + person.value(), "phone", 6, new byte[] {1}, Instant.now(), Optional.empty()), 5);
    factors.keepRecoveryCodes("demo", person, Set.of("digest"));
  }

  private void started() {
    RunningNode.start(config, Map.of()).close();
  }

  private void refused() {
    assertThat(fails("run", "--config", config.toString())).contains("The node was not started.");
  }

  private static String run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit = execute(out, err, arguments);
    assertThat(exit).as("%s %s", out, err).isZero();
    return out.toString();
  }

  private static String fails(String... arguments) {
    StringWriter err = new StringWriter();
    assertThat(execute(new StringWriter(), err, arguments)).isEqualTo(1);
    assertThat(err.toString()).doesNotContain("\tat ");
    return err.toString();
  }

  private static int execute(StringWriter out, StringWriter err, String... arguments) {
    return Launcher.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private Path config(String name) throws IOException {
    return StoredStateTest.config(folder.resolve(name));
  }
}
