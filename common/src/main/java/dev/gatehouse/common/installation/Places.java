package dev.gatehouse.common.installation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the state of a node lies.
 *
 * @param data the node's data directory
 * @param audit the audit log's directory
 */
public record Places(Path data, Path audit) {

  /** Two blocks of the header of H2's MVStore: no database is shorter. */
  private static final long SHORTEST_DATABASE = 2 * 4096;

  /** The folder of a store. */
  public Path of(StoreName store) {
    return switch (store) {
      case KEYS -> data.resolve("keys");
      case AUDIT -> audit;
      case H2 -> data.resolve("h2");
      case ROCKSDB -> data.resolve("rocksdb");
    };
  }

  /** The file without which an engine would begin with an empty store, or for the folders the record itself. */
  Path decisive(StoreName store) {
    return switch (store) {
      case KEYS, AUDIT -> of(store).resolve(FileRecordPlace.NAME);
      case H2 -> of(store).resolve("gatehouse.mv.db");
      case ROCKSDB -> of(store).resolve("CURRENT");
    };
  }

  /** Whether the decisive file is there with content. */
  boolean isThere(StoreName store) {
    Path file = decisive(store);
    try {
      return Files.isRegularFile(file) && Files.size(file) >= (store == StoreName.H2 ? SHORTEST_DATABASE : 1);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
  }

  /** What is wrong with a file that is not {@link #isThere}. */
  String absence(StoreName store) {
    return Files.exists(decisive(store)) ? "is cut off or empty" : "is missing";
  }
}
