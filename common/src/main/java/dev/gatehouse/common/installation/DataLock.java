package dev.gatehouse.common.installation;

import dev.gatehouse.common.key.FileUnreadable;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Ensures that one process at a time works on the state of an installation: a running node, or a command that opens or
 * replaces the stores of a stopped one. The lock is on the file {@code data/lock}, which no command moves. It is held from
 * before the first check of the stores until they are closed. The operating system releases it however the process ends.
 */
public final class DataLock implements AutoCloseable {

  public static final String NAME = "lock";

  /** The holder name of a running node. */
  public static final String NODE = "node";

  /** POSIX: a second channel of this process would not see the lock, and closing that channel would release it. */
  private static final ConcurrentMap<Path, String> HELD_HERE = new ConcurrentHashMap<>();

  /** {@link #holder} itself takes the lock for an instant. */
  private static final int ATTEMPTS = 6;

  private static final long BETWEEN_NANOS = 50_000_000;

  /** The lock is held elsewhere; the message names the holder. */
  public static final class Held extends RuntimeException {
    private static final long serialVersionUID = 1;

    Held(Path data, Optional<String> holder) {
      super(
          holder.filter(NODE::equals).isPresent()
              ? "A node has the data in " + data + " open: stop it first."
              : "./gatehouse " + holder.orElse("(another command)") + " works on the data in " + data
                  + ": wait for its end.");
    }
  }

  private final Path key;
  private final FileChannel channel;

  private DataLock(Path key, FileChannel channel) {
    this.key = key;
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @param data the node's data directory, created if it is missing
   * @param holder {@link #NODE} or a command's name
   * @throws Held if another process, or another part of this one, holds the lock
   */
  public static DataLock take(Path data, String holder) {
    try {
      PrivateFiles.createFolder(data);
      Path file = data.toRealPath().resolve(NAME);
      String here = HELD_HERE.putIfAbsent(file, holder);
      if (here != null) {
        throw new Held(data, Optional.of(here));
      }
      try {
        return take(data, file, holder);
      } catch (IOException | RuntimeException e) {
        HELD_HERE.remove(file);
        throw e;
      }
    } catch (IOException e) {
      throw new FileUnreadable(data.resolve(NAME), e);
    }
  }

  private static DataLock take(Path data, Path file, String holder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    boolean locked = false;
    try {
      for (int attempt = 0; attempt < ATTEMPTS && !locked; attempt++) {
        if (attempt > 0) {
          LockSupport.parkNanos(BETWEEN_NANOS);
        }
        locked = channel.tryLock() != null;
      }
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    if (!locked) {
      throw new Held(data, read(file));
    }
    writeHolder(channel, holder);
    return new DataLock(file, channel);
  }

  /** Writes the holder's name for the messages of later callers. A full disk must not prevent the work. */
  private static void writeHolder(FileChannel channel, String holder) {
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)), 0);
    } catch (IOException e) {
      // The lock is held nevertheless.
    }
  }

  /** Throws if the lock was released: for callers that work on the data. */
  public void requireHeld() {
    if (!channel.isOpen()) {
      throw new IllegalStateException("The lock on " + key + " was released");
    }
  }

  /** Returns who holds the lock, if anybody does. */
  public static Optional<String> holder(Path data) {
    Path file = data.resolve(NAME);
    if (PrivateFiles.look(file).isEmpty()) {
      return Optional.empty();
    }
    try {
      Path real = file.toRealPath();
      Optional<String> here = Optional.ofNullable(HELD_HERE.get(real));
      if (here.isPresent()) {
        return here;
      }
      try (FileChannel channel = FileChannel.open(real, StandardOpenOption.WRITE);
          FileLock lock = channel.tryLock()) {
        return lock == null ? Optional.of(read(real).orElse("")) : Optional.empty();
      }
    } catch (IOException e) {
      throw new FileUnreadable(file, e);
    }
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file)).filter(text -> !text.isBlank());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot release " + key, e);
    } finally {
      HELD_HERE.remove(key);
    }
  }
}
