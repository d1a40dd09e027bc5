package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.audit.AuditFiles;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.RecoveryMarks;
import dev.gatehouse.common.installation.FileRecordLocation;
import dev.gatehouse.common.installation.Installation;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.StateFolders;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.key.PrivateFiles;
import dev.gatehouse.common.store.RocksStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Puts a backup in place of database, keys and metadata.
 *
 * <p>The key folder stays where it is, and its files are exchanged one by one. So it has two files at any moment: its record, which says
 * before the first move that stores are being replaced, so that no node starts; and the record of the audit log's end, which no backup
 * has. Neither depends on how far a killed restore came.
 */
final class Restore {

  /** Moves a file or a folder, if it exists. */
  interface Move {
    void move(Path from, Path to) throws IOException;
  }

  private static final Set<StoreName> REPLACED = Set.of(StoreName.KEYS, StoreName.H2, StoreName.ROCKSDB);

  private final StateFolders folders;
  private final AuditLog audit;
  private final InstantSource time;
  private final RandomGenerator random;
  private final Move move;

  Restore(StateFolders folders, AuditLog audit, InstantSource time, RandomGenerator random, Move move) {
    this.folders = folders;
    this.audit = audit;
    this.time = time;
    this.random = random;
    this.move = move;
  }

  /** Returns sentences for the operator. */
  List<String> run(Path archive) {
    Path staged = folders.data().resolve(".restore");
    try {
      Folders.delete(staged);
      PrivateFiles.createFolder(staged);
      InstallationRecord saved = BackupArchive.unpack(archive, staged);
      return run(archive, saved, staged);
    } catch (IOException e) {
      throw new RecoveryFailed("The restore did not finish: " + e.getMessage() + ". Repeat the command.", e);
    } finally {
      discard(staged);
    }
  }

  private List<String> run(Path archive, InstallationRecord saved, Path staged) throws IOException {
    Map<StoreName, InstallationRecord> here = new Installation(folders, random).readable();
    requireSame(archive, saved, here.values());
    Collection<InstallationRecord> known = new ArrayList<>(here.values());
    known.add(saved);
    InstallationRecord begun = saved.raisingTo(Recovery.next(known), REPLACED);
    Instant now = time.instant();
    Path aside = Folders.aside(folders.data(), now);
    exchange(staged, aside, begun);
    finish(begun, now);
    List<String> messages = new ArrayList<>(messages(archive, now));
    messages.add("The former data are in " + aside + ".");
    if (Optional.ofNullable(here.get(StoreName.KEYS)).filter(keys -> keys.isReplacing(StoreName.KEYS)).isPresent()) {
      messages.add(
          "An earlier restore or recovery was interrupted: what it had moved is in the other folders of " + Folders.parent(aside) + ".");
    }
    return List.copyOf(messages);
  }

  private void requireSame(Path archive, InstallationRecord saved, Collection<InstallationRecord> here) {
    if (here.stream().anyMatch(record -> !record.id().equals(saved.id()))) {
      throw new RecoveryFailed(
          archive + " belongs to another installation than the data in " + folders.data()
              + ": restore it into an empty data folder. Nothing was changed.");
    }
  }

  private void exchange(Path staged, Path aside, InstallationRecord begun) throws IOException {
    Folders.force(staged);
    Path keys = folders.of(StoreName.KEYS);
    PrivateFiles.createFolder(keys);
    copyRecord(keys, aside.resolve("keys"));
    // From here on no node starts until the restore is complete.
    new FileRecordLocation(keys).write(begun.format());
    for (String folder : List.of("h2", "rocksdb", "metadata")) {
      move.move(folders.data().resolve(folder), aside.resolve(folder));
    }
    moveFiles(keys, aside.resolve("keys"));
    moveFiles(staged.resolve("keys"), keys);
    for (String folder : List.of("h2", "metadata")) {
      move.move(staged.resolve(folder), folders.data().resolve(folder));
    }
  }

  /** The former record says which generation the files beside it are of. */
  private static void copyRecord(Path keys, Path aside) throws IOException {
    Path record = keys.resolve(FileRecordLocation.NAME);
    if (PrivateFiles.look(record).isPresent()) {
      PrivateFiles.createFolder(aside);
      Files.copy(record, aside.resolve(FileRecordLocation.NAME), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  /** Moves all but the record of the installation and that of the audit log's end. */
  private void moveFiles(Path keys, Path to) throws IOException {
    // Where the folder is a link, the files are in another one.
    Path real = keys.toRealPath();
    Set<Path> staying = Set.of(real.resolve(FileRecordLocation.NAME), real.resolve(AuditFiles.HEAD));
    for (Path file : Folders.files(real)) {
      if (!staying.contains(file)) {
        move.move(file, to.resolve(real.relativize(file)));
      }
    }
  }

  private void finish(InstallationRecord begun, Instant now) throws IOException {
    try (OpenStores open = new OpenStores()) {
      open.database(Database.embedded(folders.data()));
      open.stores(RocksStores.inPlaceOfLost(folders.data(), time));
      new RecoveryMarks(open.database()).restored(now);
      Installation restored = new Installation(folders, random);
      restored.add(StoreName.H2, open.database().installationRecord());
      restored.add(StoreName.ROCKSDB, open.stores().installationRecord());
      InstallationRecord after = restored.raise(begun, begun.latest(), REPLACED, () -> {});
      Recovery.record(folders, audit, after, "restored", REPLACED);
    }
  }

  private List<String> messages(Path archive, Instant now) {
    return List.of(
        "Restored " + archive + " into " + folders.data() + ".",
        "What changed since the backup is lost. All sessions have ended; codes and tokens that were issued before " + now + " are refused.",
        "Codes of authenticator apps of time steps until now are refused; recovery codes were removed, since some may have been"
            + " used after the backup: people make new ones on their account page.",
        "Links for new passwords, and the set-up link, count no longer.",
        "Keys and roles of administrators that were taken away since the backup count again: look at ./gatehouse keys admin --list and"
            + " ./gatehouse admin administrators list.");
  }

  private static void discard(Path staged) {
    try {
      Folders.delete(staged);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot remove " + staged, e);
    }
  }
}
