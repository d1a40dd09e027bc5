package dev.gatehouse.common.audit;

import dev.gatehouse.common.installation.StoreDamaged.Defect;
import dev.gatehouse.common.key.FileUnreadable;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files of an audit log while no process writes it. */
public final class AuditFiles {

  /** Name of the record of the log's end in the key folder. */
  public static final String HEAD = "audit-head";

  private final AuditFolder folder;
  private final Path head;

  /** @param keys the key folder of the node's data directory */
  public AuditFiles(Path directory, Path keys) {
    this.folder = new AuditFolder(directory);
    this.head = keys.resolve(HEAD);
  }

  /** Returns the defect of the log; empty if nothing was removed, changed or cut off. */
  public Optional<Defect> defect() {
    try (AuditHead noted = new AuditHead(head)) {
      return AuditCheck.defect(folder, noted.read());
    } catch (IOException e) {
      throw new FileUnreadable(folder.directory(), e);
    }
  }

  /**
   * Moves the remaining files into a folder beside the log; event numbers continue.
   *
   * @return the folder; empty if there was nothing to move
   */
  public Optional<Path> setAside(Instant now) throws IOException {
    List<Path> files = new ArrayList<>(folder.rotated());
    if (Files.isRegularFile(folder.current())) {
      files.add(folder.current());
    }
    try (AuditHead noted = new AuditHead(head)) {
      AuditHead.State before = noted.read().orElse(AuditHead.State.NONE);
      AuditLink found = folder.last().orElse(AuditLink.NONE);
      noted.createFolder();
      noted.write((found.seq() > before.last().seq() ? before.at(found) : before).anew());
    }
    if (files.isEmpty()) {
      return Optional.empty();
    }
    Path aside = folder.aside(now);
    PrivateFiles.createFolder(aside);
    for (Path file : files) {
      Files.move(file, aside.resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
    }
    return Optional.of(aside);
  }
}
