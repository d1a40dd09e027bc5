package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditCheckpoints;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.H2Database;
import dev.gatehouse.common.installation.Installation;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.MoveMark;
import dev.gatehouse.common.installation.StateFolders;
import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.installation.StoreDamaged.Defect;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.installation.SyncedPositions;
import dev.gatehouse.common.key.FileUnreadable;
import dev.gatehouse.common.key.KeyManifest;
import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.gateway.recovery.BackupArchive;
import dev.gatehouse.gateway.recovery.BackupRequests;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded stores of a node, its keys and its audit log, opened and verified to belong together; the node serves
 * nothing before.
 */
public final class StoredState implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StoredState.class);

  private final Installation installation;
  private final H2Database database;
  private final RocksStores stores;
  private final ReachedPositions positions;
  private final AuditUpkeep upkeep;
  private final JsonLinesAuditLog audit;
  private final InstantSource time;
  private volatile InstallationRecord record;

  private StoredState(
      Installation installation,
      H2Database database,
      RocksStores stores,
      JsonLinesAuditLog audit,
      InstantSource time,
      AuditCheckpoints checkpoints,
      InstallationRecord record) {
    this.installation = installation;
    this.database = database;
    this.stores = stores;
    this.positions = new ReachedPositions(new SyncedPositions(installation.folders().of(StoreName.KEYS)), database);
    this.audit = audit;
    this.upkeep = new AuditUpkeep(audit, checkpoints);
    this.time = time;
    this.record = record;
  }

  /** Returns the folders in which a node stores its state. */
  public static StateFolders folders(Node node) {
    return new StateFolders(node.data(), node.audit().directory());
  }

  /**
   * Opens RocksDB, compares it with the database, the keys and the audit log, and raises the generation. Closes both if
   * that fails.
   *
   * @throws StoreDamaged if they do not belong together, or one is unusable
   */
  public static StoredState open(Node node, H2Database database, JsonLinesAuditLog audit, InstantSource time, SecureRandom random) {
    Deque<AutoCloseable> opened = new ArrayDeque<>(List.of(database));
    try {
      RocksStores stores = new RocksStores(node.data(), time, StoreFamilies.of(node));
      opened.push(stores);
      Installation installation = new Installation(folders(node), random);
      InstallationRecord record = compared(installation, database, stores);
      StoredState state =
          new StoredState(
              installation, database, stores, audit, time, NodeAudit.checkpoints(node, audit, record.id() + "/" + node.number(), time, random), record);
      opened.push(state);
      stores.onSynced(state.positions::rocksdb);
      audit.record(
          new AuditEvent.InstallationChanged(
              AuditEvent.Context.node(), record.id(), record.generation(), "started", ""));
      return state;
    } catch (RuntimeException e) {
      opened.forEach(StoredState::close);
      throw e;
    }
  }

  private static void refuse(Defect defect) {
    throw new StoreDamaged(List.of(defect));
  }

  private static InstallationRecord compared(Installation installation, H2Database database, RocksStores stores) {
    installation.add(StoreName.H2, database.installationRecord());
    installation.add(StoreName.ROCKSDB, stores.installationRecord());
    InstallationRecord before = installation.require();
    requireKeys(installation.folders(), before);
    requireReached(
        installation.folders(), new SyncedPositions(installation.folders().of(StoreName.KEYS)), database, stores);
    NodeAudit.files(installation.folders()).defect().ifPresent(StoredState::refuse);
    try {
      // Forces the folders of new stores to disk.
      PrivateFiles.force(installation.folders().data());
    } catch (IOException e) {
      throw new FileUnreadable(installation.folders().data(), e);
    }
    return installation.raise(before);
  }

  private static void close(AutoCloseable store) {
    try {
      store.close();
    } catch (Exception e) {
      LOG.warn("A store could not be closed properly", e);
    }
  }

  /** Checks for missing files before an engine is opened, which would create new ones in their place. */
  public static void requireFiles(Node node, RandomGenerator random) {
    new MoveMark(node.data()).requireAt(MoveMark.Target.EMBEDDED);
    new Installation(folders(node), random).requireFiles();
  }

  /** Writes a backup of this moment into a new file. */
  public void backup(Path archive) throws IOException {
    new BackupArchive(installation.folders()).write(database, record, time.instant(), archive);
    audit.record(
        new AuditEvent.InstallationChanged(
            AuditEvent.Context.node(), record.id(), record.generation(), "backed-up", archive.getFileName().toString()));
  }

  /** Starts to answer backup requests of the command line. */
  public BackupRequests answerRequests() {
    return new BackupRequests(installation.folders().data(), time, this::backup);
  }

  /** Returns the stores, open until {@link #close}. */
  public RocksStores stores() {
    return stores;
  }

  /** Raises the generation once more, so that a copy made while the node ran is older than the state that it leaves. */
  public void stopped() {
    close();
    try {
      record = installation.raise(record);
    } catch (RuntimeException e) {
      LOG.warn("The generation could not be raised at the stop", e);
    }
  }

  /** Ends the own threads; the stores are closed by the code that opened them. */
  @Override
  public void close() {
    positions.close();
    upkeep.close();
  }

  private static void requireKeys(StateFolders folders, InstallationRecord before) {
    Path folder = folders.of(StoreName.KEYS);
    KeyManifest manifest = new KeyManifest(folder);
    if (before.generation() == 0) {
      manifest.adopt();
    } else if (!manifest.isKept()) {
      throw new StoreDamaged(List.of(new Defect(StoreName.KEYS, folder.resolve(KeyManifest.NAME), "is missing")));
    }
    List<KeyManifest.Problem> problems = manifest.problems();
    if (!problems.isEmpty()) {
      throw new StoreDamaged(
          problems.stream().map(found -> new Defect(StoreName.KEYS, found.file(), found.what())).toList());
    }
  }

  private static void requireReached(StateFolders folders, SyncedPositions positions, H2Database database, RocksStores stores) {
    Optional<SyncedPositions.Reached> reached = positions.read();
    if (reached.isEmpty()) {
      return;
    }
    List<Defect> defects = new ArrayList<>();
    SyncedPositions.defect(folders, StoreName.ROCKSDB, stores.position(), reached.get().rocksdb()).ifPresent(defects::add);
    SyncedPositions.defect(folders, StoreName.H2, database.position(), reached.get().h2()).ifPresent(defects::add);
    if (!defects.isEmpty()) {
      throw new StoreDamaged(defects);
    }
  }
}
