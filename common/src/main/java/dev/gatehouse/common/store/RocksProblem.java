package dev.gatehouse.common.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Describes for health checks why RocksDB cannot write. RocksDB recovers by itself after a full disk and after errors that it
 * considers temporary, but never after others; its Java interface cannot resume it. If the disk takes writes again while
 * RocksDB still refuses them, RocksDB is stuck and the description asks for a restart.
 */
final class RocksProblem {

  /** Longer than RocksDB takes to recover by itself. */
  private static final int SECONDS_UNTIL_STUCK = 20;

  private static final int PROBE_BYTES = 64 << 10;

  private final Optional<Path> probe;
  private volatile String write = "";
  private volatile String sync = "";
  private volatile boolean stuck;
  // Used only by the background thread.
  private int writableSeconds;

  private RocksProblem(Optional<Path> probe) {
    this.probe = probe;
  }

  static RocksProblem ofDisk(Path directory) {
    return new RocksProblem(Optional.of(directory.resolve("disk-probe")));
  }

  /** Creates the problem of a database that has no disk. */
  static RocksProblem ofMemory() {
    return new RocksProblem(Optional.empty());
  }

  void writeFailed(Exception e) {
    write = text(e);
  }

  void written() {
    if (!write.isEmpty()) {
      write = "";
    }
  }

  void syncFailed(Exception e) {
    sync = text(e);
  }

  void synced() {
    sync = "";
    stuck = false;
    writableSeconds = 0;
  }

  private static String text(Exception e) {
    return "RocksDB cannot write: " + e.getMessage();
  }

  /** Checks the disk; called every second while something fails. */
  void probe() {
    if (write.isEmpty() && sync.isEmpty() || probe.isEmpty()) {
      return;
    }
    writableSeconds = isWritable(probe.get()) ? writableSeconds + 1 : 0;
    stuck = writableSeconds >= SECONDS_UNTIL_STUCK;
  }

  private static boolean isWritable(Path file) {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.allocate(PROBE_BYTES);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      remove(file);
    }
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The next check truncates it.
    }
  }

  /** Returns a sentence about the problem; empty if everything can be written. */
  Optional<String> sentence() {
    String text = write.isEmpty() ? sync : write;
    if (text.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(stuck ? text + ". The disk can be written again, but RocksDB does not go on: restart the node." : text);
  }
}
