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
 * How far each engine had come when it was last forced to disk, in the file {@code keys/positions}: an engine that opens
 * with less has lost what was acknowledged, though all that it finds is well-formed. RocksDB's log that was cut off at the
 * end of a record and H2's file that was cut off anywhere look like that.
 */
public final class SyncedPositions {

  /** @param rocksdb the latest sequence number; @param h2 the version of the last chunk */
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

  /** Empty where none was written. */
  public Optional<Reached> read() {
    return slots.read().map(content -> new Reached(content.getLong(), content.getLong()));
  }

  /** Writes without forcing it to disk: an older position only sees less. */
  public synchronized void write(Reached reached) throws IOException {
    try (slots) {
      slots.write(ByteBuffer.allocate(CONTENT).putLong(reached.rocksdb()).putLong(reached.h2()).flip());
    }
  }

  /**
   * Forgets how far the replaced engines had come, and nothing of the others. On disk when it returns: after a loss of power
   * the engines that begin anew would look cut off.
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

  /** What is wrong with an engine that opened at {@code found}; empty where it has come as far as before. */
  public static Optional<Defect> defect(StateFolders places, StoreName store, long found, long reached) {
    return found >= reached
        ? Optional.empty()
        : Optional.of(
            new Defect(
                store, places.of(store), "was cut off or is an older copy: it ends at change " + found + " of " + reached));
  }

  /** Forgets all: the engines begin anew. On disk when it returns. */
  public synchronized void clear() throws IOException {
    if (Files.deleteIfExists(file)) {
      PrivateFiles.force(folder);
    }
  }
}
