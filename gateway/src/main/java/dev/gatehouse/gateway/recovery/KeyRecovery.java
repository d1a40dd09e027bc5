package dev.gatehouse.gateway.recovery;

import dev.gatehouse.common.audit.AuditFiles;
import dev.gatehouse.common.installation.FileRecordLocation;
import dev.gatehouse.common.installation.InstallationRecord;
import dev.gatehouse.common.installation.StateFolders;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.key.KeyManifest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The key folder after the loss of all or some of its files was accepted. */
final class KeyRecovery {

  private final Path keys;
  private final KeyManifest manifest;
  private final boolean isForeign;
  private final boolean isKnown;

  /** @param reference the record of the installation */
  KeyRecovery(StateFolders folders, InstallationRecord reference) {
    this.keys = folders.of(StoreName.KEYS);
    this.manifest = new KeyManifest(keys);
    Optional<InstallationRecord> own = new FileRecordLocation(keys).read().flatMap(InstallationRecord::parse);
    this.isKnown = own.isPresent();
    // An interrupted recovery wrote the record, and may not have processed the keys.
    this.isForeign =
        own.filter(record -> !record.id().equals(reference.id()) || record.isReplacing(StoreName.KEYS)).isPresent();
  }

  /** Returns whether the files in the folder belong to this installation. */
  boolean isOwn() {
    return isKnown && !isForeign;
  }

  /** Creates the list of keys for data of the previous version, which has none. */
  void adopt() {
    manifest.adopt();
  }

  /** Returns whether secrets in the database can no longer be opened, or this is unknown. */
  boolean isSealingLost() {
    return isForeign
        || !manifest.isKept()
        || manifest.problems().stream().anyMatch(problem -> problem.file().endsWith("sealing"));
  }

  /** Moves unusable files aside and lists the remaining ones; the node creates new keys for the missing ones. */
  List<String> drop(Path aside) throws IOException {
    if (isForeign) {
      for (Path file : Folders.files(keys)) {
        // The record of the audit log's end is no key. If it were another log's, recovery would have refused, or begun it anew.
        if (!file.endsWith(FileRecordLocation.NAME) && !file.endsWith(AuditFiles.HEAD)) {
          Folders.move(file, aside.resolve(keys.relativize(file)));
        }
      }
      manifest.adopt();
      return List.of("The keys are not known to be this installation's and were moved aside: the next start makes new ones.");
    }
    List<Path> unusable = manifest.unusable();
    for (Path file : unusable) {
      Folders.move(file, aside.resolve(keys.relativize(file)));
    }
    manifest.adopt();
    return unusable.stream()
        .map(file -> keys.relativize(file) + " is lost: the next start makes a new key where one is needed.")
        .toList();
  }
}
