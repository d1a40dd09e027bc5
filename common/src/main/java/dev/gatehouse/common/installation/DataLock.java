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
 * One process at a time works on the state of an installation: a running node, or a command that opens or replaces the stores
 * of a stopped one. Held on the file {@code data/lock}, which no command moves, from before the first look at the stores until
 * they are closed. The operating system lets go of it when the process ends, whatever ends it.
 */
public final class DataLock implements AutoCloseable {

  public static final String NAME = "lock";

  /** What a running node says. */
  public static final String NODE = "node";

  /** A second channel of this process would not see the lock, and its end would let go of it (POSIX). */
  private static final ConcurrentMap<Path, String> HELD_HERE = new ConcurrentHashMap<>();

  /** {@link #holder} itself has the lock for an instant. */
  private static final int ATTEMPTS = 6;

  private static final long BETWEEN_NANOS = 50_000_000;

  /** Somebody else has it. The message says who. */
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
   * @param data the node's data directory, made where it is missing
   * @param holder {@link #NODE} or a command's name
   * @throws Held where another process, or another part of this one, has it
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
    say(channel, holder);
    return new DataLock(file, channel);
  }

  /** For the message of those who come later; a full disk keeps nobody from working. */
  private static void say(FileChannel channel, String holder) {
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)), 0);
    } catch (IOException e) {
      // The lock holds all the same.
    }
  }

  /** For those who work on the data. */
  public void requireHeld() {
    if (!channel.isOpen()) {
      throw new IllegalStateException("The lock on " + key + " was let go of");
    }
  }

  /** Who has the lock; empty where nobody has. */
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
      throw new UncheckedIOException("Cannot let go of " + key, e);
    } finally {
      HELD_HERE.remove(key);
    }
  }
}
