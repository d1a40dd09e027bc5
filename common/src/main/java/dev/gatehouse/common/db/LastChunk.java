package dev.gatehouse.common.db;

import dev.gatehouse.common.installation.BootId;
import dev.gatehouse.common.installation.SlotFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The version of the newest chunk that was completely written, in a small file beside H2's file. If the newest chunks are lost or
 * damaged, H2 opens its file at the chunk before. This file is not forced to disk: after another boot of the operating system,
 * {@code keys/positions} holds the expected version.
 */
final class LastChunk implements AutoCloseable {

  private static final int CONTENT = Long.BYTES + BootId.BYTES;
  private static final int SLOT = 64;

  private final SlotFile slots;

  LastChunk(Path database) {
    this.slots = new SlotFile(database.resolveSibling("gatehouse.last"), SLOT, CONTENT);
  }

  /**
   * Returns the version that the file must have.
   *
   * @param found the newest version in the file, which counts if none was recorded
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
