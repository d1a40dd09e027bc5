package dev.gatehouse.common.installation;

import dev.gatehouse.common.installation.StoreDamaged.Defect;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The position that each engine had reached when it was last forced to disk, in the file {@code keys/positions}. An engine that
 * opens at an earlier position has lost acknowledged changes, even if its files are well-formed. RocksDB's log cut off at the
 * end of a record and H2's file cut off anywhere look well-formed.
 */
public final class SyncedPositions {

  /**
   * Positions of both engines.
   *
   * @param rocksdb the latest sequence number
   * @param h2 the version of the last chunk
   */
  public record Reached(long rocksdb, long h2) {}

  public static final String NAME = "positions";

  private static final int SLOT = 64;
  private static final int CONTENT = 2 * Long.BYTES;

  private final Path folder;
  private final Path file;
  private final SlotFile slots;

  public SyncedPositions(Path keys) {
    this.folder = keys;
    this.file = keys.resolve(NAME);
    this.slots = new SlotFile(file, SLOT, CONTENT);
  }

  /** Returns the positions; empty if none were written. */
  public Optional<Reached> read() {
    return slots.read().map(content -> new Reached(content.getLong(), content.getLong()));
  }

  /** Writes without forcing to disk: an older position only detects less. */
  public synchronized void write(Reached reached) throws IOException {
    try (slots) {
      slots.write(ByteBuffer.allocate(CONTENT).putLong(reached.rocksdb()).putLong(reached.h2()).flip());
    }
  }

  /**
   * Resets the positions of the replaced engines and leaves the others. On disk when it returns: otherwise, after a loss of
   * power, the engines that begin anew would look cut off.
   */
  public synchronized void forget(Set<StoreName> replaced) throws IOException {
    Optional<Reached> reached = read();
    if (reached.isPresent()) {
      write(
          new Reached(
              replaced.contains(StoreName.ROCKSDB) ? 0 : reached.get().rocksdb(),
              replaced.contains(StoreName.H2) ? 0 : reached.get().h2()));
      PrivateFiles.force(file);
    }
  }

  /** Returns the defect of an engine that opened at {@code found}; empty if it has reached the recorded position. */
  public static Optional<Defect> defect(StateFolders folders, StoreName store, long found, long reached) {
    return found >= reached
        ? Optional.empty()
        : Optional.of(
            new Defect(
                store, folders.of(store), "was cut off or is an older copy: it ends at change " + found + " of " + reached));
  }

  /** Deletes all positions: the engines begin anew. On disk when it returns. */
  public synchronized void clear() throws IOException {
    if (Files.deleteIfExists(file)) {
      PrivateFiles.force(folder);
    }
  }
}
