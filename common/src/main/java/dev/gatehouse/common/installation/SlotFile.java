package dev.gatehouse.common.installation;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * A small file with one value that is written often: two slots of a fixed size, written alternately and in place. One of them
 * is intact at any time, and writing needs no space on a full disk. Nothing is forced to disk.
 *
 * <p>It is mapped into memory: a write is no system call, and written content survives the end of the process.
 */
public final class SlotFile implements AutoCloseable {

  private final Path file;
  private final int slotBytes;
  private final int contentBytes;
  private Optional<MappedByteBuffer> open = Optional.empty();
  private long sequence;

  private record Slot(long sequence, ByteBuffer content) {}

  /** @param slotBytes at least the content and two longs: the sequence and the checksum */
  public SlotFile(Path file, int slotBytes, int contentBytes) {
    this.file = file;
    this.slotBytes = slotBytes;
    this.contentBytes = contentBytes;
  }

  /** Returns the value that was written last; empty if none was. */
  public synchronized Optional<ByteBuffer> read() {
    return newest().map(Slot::content);
  }

  public synchronized void write(ByteBuffer content) throws IOException {
    MappedByteBuffer to = open();
    long next = sequence + 1;
    ByteBuffer slot = ByteBuffer.allocate(slotBytes).putLong(next).put(content);
    slot.putLong(checksum(slot));
    try {
      to.put((int) (next % 2) * slotBytes, slot.array());
    } catch (InternalError e) {
      // The JVM reports in this way a page that cannot be written, for example because the file was cut off.
      open = Optional.empty();
      throw new IOException(file + " cannot be written", e);
    }
    sequence = next;
  }

  private MappedByteBuffer open() throws IOException {
    if (open.isEmpty()) {
      try (FileChannel channel =
          FileChannel.open(
              file,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
        int missing = 2 * slotBytes - (int) Math.min(channel.size(), 2L * slotBytes);
        // Takes the space now, so that no later write can lack it.
        channel.write(ByteBuffer.allocate(missing), channel.size());
        open = Optional.of(channel.map(FileChannel.MapMode.READ_WRITE, 0, 2L * slotBytes));
      }
      sequence = newest().map(Slot::sequence).orElse(0L);
    }
    return open.get();
  }

  /** Closes the file; the next {@link #write} opens it again. */
  @Override
  public synchronized void close() throws IOException {
    open = Optional.empty();
  }

  private Optional<Slot> newest() {
    byte[] bytes = PrivateFiles.read(file).orElse(new byte[0]);
    Optional<Slot> newest = Optional.empty();
    for (int at = 0; at + slotBytes <= bytes.length; at += slotBytes) {
      ByteBuffer slot = ByteBuffer.wrap(bytes, at, slotBytes).slice();
      Slot read = new Slot(slot.getLong(), slot.slice(Long.BYTES, contentBytes));
      if (slot.getLong(Long.BYTES + contentBytes) == checksum(slot)
          && newest.filter(other -> other.sequence() > read.sequence()).isEmpty()) {
        newest = Optional.of(read);
      }
    }
    return newest;
  }

  private long checksum(ByteBuffer slot) {
    CRC32C sum = new CRC32C();
    sum.update(slot.duplicate().position(0).limit(Long.BYTES + contentBytes));
    return sum.getValue();
  }
}
