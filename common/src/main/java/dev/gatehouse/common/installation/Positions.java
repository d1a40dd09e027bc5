package dev.gatehouse.common.installation;

import dev.gatehouse.common.installation.StoreDamaged.Defect;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * How far each engine had come when it was last forced to disk, in the file {@code keys/positions}: an engine that opens
 * with less has lost what was acknowledged, though all that it finds is well-formed. RocksDB's log that was cut off at the
 * end of a record and H2's file that was cut off anywhere look like that.
 *
 * <p>Two slots of a fixed size are written by turns, in place: one of them is whole at any time, and a full disk has room.
 */
public final class Positions {

  /** @param rocksdb the latest sequence number; @param h2 the version of the last chunk */
  public record Reached(long rocksdb, long h2) {}

  public static final String NAME = "positions";

  private static final int SLOT = 64;
  private static final int CONTENT = 3 * Long.BYTES;

  private record Slot(long turn, Reached reached) {}

  private final Path folder;
  private final Path file;
  private long turn;

  public Positions(Path keys) {
    this.folder = keys;
    this.file = keys.resolve(NAME);
    this.turn = newest().map(Slot::turn).orElse(0L);
  }

  /** Empty where none was written. */
  public Optional<Reached> read() {
    return newest().map(Slot::reached);
  }

  /** Writes without forcing it to disk: an older position only sees less. */
  public synchronized void write(Reached reached) throws IOException {
    write(reached, false);
  }

  private void write(Reached reached, boolean forced) throws IOException {
    turn++;
    ByteBuffer slot = ByteBuffer.allocate(SLOT).putLong(turn).putLong(reached.rocksdb()).putLong(reached.h2());
    slot.putLong(checksum(slot)).rewind();
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      channel.write(slot, (turn % 2) * SLOT);
      if (forced) {
        channel.force(true);
      }
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
              replaced.contains(StoreName.H2) ? 0 : reached.get().h2()),
          true);
    }
  }

  /** What is wrong with an engine that opened at {@code found}; empty where it has come as far as before. */
  public static Optional<Defect> defect(Places places, StoreName store, long found, long reached) {
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

  private Optional<Slot> newest() {
    byte[] bytes = PrivateFiles.read(file).orElse(new byte[0]);
    Optional<Slot> newest = Optional.empty();
    for (int at = 0; at + SLOT <= bytes.length; at += SLOT) {
      ByteBuffer slot = ByteBuffer.wrap(bytes, at, SLOT).slice();
      Slot read = new Slot(slot.getLong(), new Reached(slot.getLong(), slot.getLong()));
      if (slot.getLong() == checksum(slot) && newest.filter(other -> other.turn() > read.turn()).isEmpty()) {
        newest = Optional.of(read);
      }
    }
    return newest;
  }

  private static long checksum(ByteBuffer slot) {
    CRC32C sum = new CRC32C();
    sum.update(slot.duplicate().position(0).limit(CONTENT));
    return sum.getValue();
  }
}
