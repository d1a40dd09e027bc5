package dev.gatehouse.common.db;

import dev.gatehouse.common.installation.BootId;
import dev.gatehouse.common.installation.SlotFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The version of the newest chunk that was wholly written, in a small file beside H2's: H2 opens a file whose newest chunks are
 * gone or damaged with the one before. Not forced to disk: after the operating system itself has ended, {@code keys/positions}
 * says what is to be there.
 */
final class LastChunk implements AutoCloseable {

  private static final int CONTENT = Long.BYTES + BootId.BYTES;
  private static final int SLOT = 64;

  private final SlotFile slots;

  LastChunk(Path database) {
    this.slots = new SlotFile(database.resolveSibling("gatehouse.last"), SLOT, CONTENT);
  }

  /**
   * The version that the file must have.
   *
   * @param found the newest that it has, which is to be taken where nothing was noted
   */
  long required(long found) {
    return slots
        .read()
        .map(
            content -> {
              long version = content.getLong();
              return BootId.from(content).isCurrent() ? version : 0;
            })
        .orElse(found);
  }

  void write(long version) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(CONTENT).putLong(version);
    BootId.current().to(content);
    slots.write(content.flip());
  }

  @Override
  public void close() throws IOException {
    slots.close();
  }
}
