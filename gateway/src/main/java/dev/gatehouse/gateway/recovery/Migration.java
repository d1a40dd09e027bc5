package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseUnavailable;
import dev.gatehouse.common.db.H2Database;
import dev.gatehouse.common.db.TableCopy;
import dev.gatehouse.common.installation.FileRecordLocation;
import dev.gatehouse.common.installation.Installation;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.MoveMark;
import dev.gatehouse.common.installation.MoveMark.State;
import dev.gatehouse.common.installation.MoveMark.Target;
import dev.gatehouse.common.installation.StateFolders;
import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.installation.SyncedPositions;
import dev.gatehouse.common.key.FileKeyPlace;
import dev.gatehouse.common.key.KeyManifest;
import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.UseJournal;
import dev.gatehouse.common.postgres.DatabaseKeyPlace;
import dev.gatehouse.common.postgres.DeploymentMove;
import dev.gatehouse.common.postgres.DeploymentMove.Key;
import dev.gatehouse.common.postgres.PostgresDatabase;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.common.store.StoredKind;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.valkey.ValkeyStores;
import dev.gatehouse.gateway.traffic.MaintenanceSwitches;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Moves an installation from embedded to shared stores, or back. The same command goes on after an interruption: tables that are complete
 * stay, the rest begins anew. A mark in the data folder and one in PostgreSQL keep every node from starting meanwhile; afterwards they keep
 * the source from serving again.
 */
public final class Migration {

  private final StateFolders folders;
  private final Shared shared;
  private final AuditLog audit;
  private final InstantSource time;
  private final SecureRandom random;
  private final Consumer<String> progress;
  private final MoveMark mark;
  private final DeploymentMove move;

  /**
   * The shared stores.
   *
   * @param name that of the deployment
   * @param valkey opens the stores under the sealing key of the installation, connected; refuses those of another one
   * @param kinds what is in the hot stores and moves, in this order
   */
  public record Shared(String name, SealingKey master, PostgresDatabase database, ValkeyOpening valkey, List<StoredKind> kinds) {}

  /** Opens Valkey. */
  @FunctionalInterface
  public interface ValkeyOpening {
    /** @param id that of the installation, which alone may be in the namespace */
    ValkeyStores open(SealingKey sealing, String id);
  }

  public Migration(
      StateFolders folders, Shared shared, AuditLog audit, InstantSource time, SecureRandom random, Consumer<String> progress) {
    this.folders = folders;
    this.shared = shared;
    this.audit = audit;
    this.time = time;
    this.random = random;
    this.progress = progress;
    this.mark = new MoveMark(folders.data());
    this.move = new DeploymentMove(shared.database());
  }

  /**
   * Moves, or says what would move.
   *
   * @param confirmed whether the operator has confirmed what ends
   * @return whether everything has moved
   */
  public boolean run(Target target, boolean confirmed) throws PostgresUnusable {
    Optional<State> before = mark.read();
    before
        .filter(state -> !state.finished() && state.target() != target)
        .ifPresent(
            state -> {
              throw new RecoveryFailed("A move in the other direction was interrupted: finish it first (" + state.target().command() + ").");
            });
    before
        .filter(state -> state.finished() && state.target() == target)
        .ifPresent(
            state -> {
              throw new RecoveryFailed("The data in " + folders.data() + " were moved to " + target.word() + " stores already.");
            });
    boolean isResumed = before.filter(state -> !state.finished()).isPresent();
    try {
      return switch (target) {
        case SHARED -> toShared(isResumed, confirmed);
        case EMBEDDED -> toEmbedded(isResumed, confirmed);
      };
    } catch (IOException e) {
      throw new RecoveryFailed("The move did not finish: " + e.getMessage() + ". Give the same command again.", e);
    }
  }

  private Path maintenance() {
    return folders.data().resolve(MaintenanceSwitches.NAME);
  }

  private Path keyFolder() {
    return folders.of(StoreName.KEYS);
  }

  private void requireNo(Optional<String> problem) throws PostgresUnusable {
    if (problem.isPresent()) {
      throw move.refused(problem.get());
    }
  }

  private boolean isUnconfirmed(boolean isResumed, boolean confirmed) {
    if (!isResumed && !confirmed) {
      progress.accept("Ends with the move: logins, logouts and authorizations that have begun, codes, and access tokens.");
      progress.accept("Nothing was changed. Add --confirm to move.");
      return true;
    }
    return false;
  }

  private void begin(Target target, InstallationRecord source) {
    mark.write(new State(target, false));
    move.begin(target, shared.name(), shared.master(), source);
  }

  private void copyTables(Database from, Database to) {
    progress.accept("Tables:");
    long rows = new TableCopy(from, to).copy((table, count) -> progress.accept("  " + table + ": " + count));
    progress.accept("  together: " + rows);
  }

  // ---- To shared stores.

  private boolean toShared(boolean isResumed, boolean confirmed) throws PostgresUnusable, IOException {
    Optional<InstallationRecord> kept = new FileRecordLocation(keyFolder()).read().flatMap(InstallationRecord::parse);
    requireNo(move.problem(Target.SHARED, shared.name(), shared.master(), isResumed ? kept.map(InstallationRecord::id) : Optional.empty()));
    if (isResumed && kept.isPresent() && move.isFinished(Target.SHARED)) {
      leaveEmbedded();
      return true;
    }
    Installation installation = new Installation(folders, random);
    installation.requireFiles();
    if (kept.isEmpty() || !Files.exists(folders.of(StoreName.H2))) {
      throw new RecoveryFailed("There is nothing to move in " + folders.data() + ": start the node with storage: embedded once.");
    }
    try (H2Database database = Database.embedded(folders.data());
        RocksStores stores = new RocksStores(folders.data(), time)) {
      installation.add(StoreName.H2, database.installationRecord());
      installation.add(StoreName.ROCKSDB, stores.installationRecord());
      InstallationRecord source = installation.require();
      new KeyManifest(keyFolder()).problems().stream()
          .findFirst()
          .ifPresent(
              problem -> {
                throw new RecoveryFailed("The key " + problem.file() + " " + problem.what() + ": restore a backup, or see recover.");
              });
      SealingKey sealing = new SealingKey(new FileKeyPlace(folders.data()), random);
      try (ValkeyStores valkey = shared.valkey().open(sealing, source.id())) {
        if (!isResumed && !valkey.isEmpty()) {
          throw new RecoveryFailed(
              "Valkey is not empty under the name of this deployment: another one uses it, or did; change deployment in gatehouse.yaml.");
        }
        progress.accept("Moves to PostgreSQL: " + TableCopy.rows(database) + " rows. To Valkey:");
        HotMove.counts(shared.kinds(), stores.hotData()).forEach(progress);
        if (isUnconfirmed(isResumed, confirmed)) {
          return false;
        }
        new TableCopy(database, shared.database()).requireSame();
        begin(Target.SHARED, source);
        writeUses(database, stores);
        copyTables(database, shared.database());
        copyKeysToDatabase();
        Map<String, String> switches = MaintenanceSwitches.settings(maintenance());
        move.putMaintenances(switches);
        progress.accept("Switches of maintenance: " + switches.size());
        progress.accept("Sessions and work:");
        InstallationRecord record = move.record().finished();
        valkey.clear();
        new HotMove(shared.kinds(), stores.hotData(), valkey, valkey.hotData(), progress).copy(time.instant());
        valkey.installationRecord().write(record.format());
        move.finish(Target.SHARED, record);
        record(record);
        progress.accept("PostgreSQL and Valkey are complete.");
      }
    }
    leaveEmbedded();
    return true;
  }

  /** Uses of tokens whose rows do not have them, because the node was killed or its stop did not wait. */
  private void writeUses(Database database, Stores stores) {
    UseJournal.open(database, stores, time)
        .ifPresent(
            journal -> {
              try (journal) {
                journal.writeAll();
              }
            });
  }

  private void copyKeysToDatabase() throws IOException {
    List<Key> keys = new ArrayList<>();
    for (Path file : new KeyManifest(keyFolder()).moved()) {
      keys.add(new Key(keyFolder().relativize(file).toString(), Files.readString(file)));
    }
    move.putKeys(new DatabaseKeyPlace(shared.database(), shared.master(), time), keys);
    progress.accept("Keys: " + keys.size());
  }

  /** Moves the files of the stores aside; the audit log stays, with its key and its record. */
  private void leaveEmbedded() throws IOException {
    Path aside = Folders.aside(folders.data(), time.instant());
    Folders.move(folders.of(StoreName.H2), aside.resolve("h2"));
    Folders.move(folders.of(StoreName.ROCKSDB), aside.resolve("rocksdb"));
    for (Path file : new KeyManifest(keyFolder()).moved()) {
      Path left = aside.resolve("keys").resolve(keyFolder().relativize(file));
      PrivateFiles.createFolder(Folders.parent(left));
      Files.move(file, left, StandardCopyOption.ATOMIC_MOVE);
    }
    if (Files.exists(maintenance())) {
      Files.move(maintenance(), aside.resolve(MaintenanceSwitches.NAME), StandardCopyOption.ATOMIC_MOVE);
    }
    Files.deleteIfExists(keyFolder().resolve(KeyManifest.NAME));
    new SyncedPositions(keyFolder()).clear();
    new FileRecordLocation(keyFolder()).write(move.record().format());
    mark.write(new State(Target.SHARED, true));
    progress.accept("Moved. Write storage: shared and start the nodes. The former data are in " + aside + ": they hold keys in clear.");
  }

  // ---- To embedded stores.

  private boolean toEmbedded(boolean isResumed, boolean confirmed) throws PostgresUnusable, IOException {
    requireNo(move.problem(Target.EMBEDDED, shared.name(), shared.master(), Optional.empty()));
    if (isResumed && move.isFinished(Target.EMBEDDED)) {
      arrive();
      return true;
    }
    if (move.isFinished(Target.EMBEDDED)) {
      throw new RecoveryFailed("The deployment was moved to embedded stores already.");
    }
    InstallationRecord source = move.record();
    Optional<InstallationRecord> kept = new FileRecordLocation(keyFolder()).read().flatMap(InstallationRecord::parse);
    if (kept.filter(record -> !record.id().equals(source.id())).isPresent()) {
      throw new RecoveryFailed(
          "The data in " + folders.data() + " belong to another installation: move into the data folder of a node of this one, or an empty one.");
    }
    if (!isResumed && (Files.exists(folders.of(StoreName.H2)) || Files.exists(folders.of(StoreName.ROCKSDB)))) {
      throw new RecoveryFailed("There are embedded stores in " + folders.data() + ": move into a data folder that has none.");
    }
    DatabaseKeyPlace keys = new DatabaseKeyPlace(shared.database(), shared.master(), time);
    try (ValkeyStores valkey = shared.valkey().open(new SealingKey(keys, random), source.id())) {
      if (valkey.installationRecord().read().isEmpty()) {
        throw new RecoveryFailed("Valkey is empty, although the deployment is not new: connect the former one, or see recover.");
      }
      progress.accept("Moves to H2: " + TableCopy.rows(shared.database()) + " rows. To RocksDB:");
      HotMove.counts(shared.kinds(), valkey.hotData()).forEach(progress);
      if (isUnconfirmed(isResumed, confirmed)) {
        return false;
      }
      begin(Target.EMBEDDED, source);
      fill(valkey, keys, source);
    }
    arrive();
    return true;
  }

  private void fill(ValkeyStores valkey, DatabaseKeyPlace keys, InstallationRecord source) throws IOException {
    InstallationRecord record = source.raisingTo(source.latest() + 1, Set.of()).finished();
    Folders.delete(folders.of(StoreName.ROCKSDB));
    try (H2Database database = begunDatabase();
        RocksStores stores = RocksStores.inPlaceOfLost(folders.data(), time)) {
      copyTables(shared.database(), database);
      FileKeyPlace files = new FileKeyPlace(folders.data());
      List<Key> read = new ArrayList<>();
      for (String path : move.keys()) {
        read.add(new Key(path, new String(keys.read(Path.of(path)), StandardCharsets.UTF_8)));
        PrivateFiles.createFolder(Folders.parent(keyFolder().resolve(path)));
      }
      move.putKeys(files, read);
      new KeyManifest(keyFolder()).adopt();
      new SyncedPositions(keyFolder()).clear();
      progress.accept("Keys: " + read.size());
      Map<String, String> switches = move.maintenances();
      MaintenanceSwitches.write(maintenance(), switches);
      progress.accept("Switches of maintenance: " + switches.size());
      progress.accept("Sessions and work:");
      Instant now = time.instant();
      new HotMove(shared.kinds(), valkey.hotData(), stores, stores.hotData(), progress).copy(now);
      Installation installation = new Installation(folders, random);
      installation.add(StoreName.H2, database.installationRecord());
      installation.add(StoreName.ROCKSDB, stores.installationRecord());
      installation.raise(source.finished(), record.generation(), Set.of(), () -> {});
    }
    progress.accept("H2 and RocksDB are complete.");
    // A copy of the database from before its mark does not match this one any more.
    valkey.installationRecord().write(record.format());
    move.finish(Target.EMBEDDED, record);
    record(record);
  }

  /** Opens H2, which may be there from before an interruption; if that cut it off when it was made, it is made anew. */
  private H2Database begunDatabase() throws IOException {
    try {
      return Database.embedded(folders.data());
    } catch (StoreDamaged | DatabaseUnavailable e) {
      Folders.delete(folders.of(StoreName.H2));
      return Database.embedded(folders.data());
    }
  }

  private void arrive() {
    mark.remove();
    progress.accept("Moved. Write storage: embedded and start one node with the data folder " + folders.data() + ".");
  }

  private void record(InstallationRecord record) {
    audit.record(
        new AuditEvent.InstallationChanged(AuditEvent.Context.node(), record.id(), record.generation(), "moved", shared.name()));
  }
}
