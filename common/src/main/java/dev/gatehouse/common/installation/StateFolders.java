package dev.gatehouse.common.installation;

import dev.gatehouse.common.key.FileUnreadable;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.file.AccessMode;
import java.nio.file.Path;

/**
 * The folders of a node's state.
 *
 * @param data the node's data directory
 * @param audit the audit log's directory
 */
public record StateFolders(Path data, Path audit) {

  /** Two blocks of the header of H2's MVStore: no valid database is shorter. */
  private static final long SHORTEST_DATABASE = 2 * 4096;

  /** Returns the folder of a store. */
  public Path of(StoreName store) {
    return switch (store) {
      case KEYS -> data.resolve("keys");
      case AUDIT -> audit;
      case H2 -> data.resolve("h2");
      case ROCKSDB -> data.resolve("rocksdb");
    };
  }

  /** Returns the file without which an engine would begin with an empty store; for plain folders the record itself. */
  Path decisive(StoreName store) {
    return switch (store) {
      case KEYS, AUDIT -> of(store).resolve(FileRecordLocation.NAME);
      case H2 -> of(store).resolve("gatehouse.mv.db");
      case ROCKSDB -> of(store).resolve("CURRENT");
    };
  }

  /**
   * Returns whether the decisive file exists with content.
   *
   * @throws FileUnreadable if the file cannot be inspected or read
   */
  boolean isThere(StoreName store) {
    Path file = decisive(store);
    long shortest = store == StoreName.H2 ? SHORTEST_DATABASE : 1;
    boolean isThere = PrivateFiles.look(file).filter(found -> found.isRegularFile() && found.size() >= shortest).isPresent();
    if (isThere) {
      requireAccess(file);
    }
    return isThere;
  }

  /** Checks access first: an engine would report a file that it may not open as damaged. */
  private static void requireAccess(Path file) {
    try {
      file.getFileSystem().provider().checkAccess(file, AccessMode.READ, AccessMode.WRITE);
    } catch (IOException e) {
      throw new FileUnreadable(file, e);
    }
  }

  /** Describes why {@link #isThere} is false. */
  String absence(StoreName store) {
    return PrivateFiles.look(decisive(store)).isPresent() ? "is cut off or empty" : "is missing";
  }
}
