package dev.gatehouse.gateway.accesslog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A log file that is appended to. At its maximal size it is renamed to {@code FILE.1}, that one to {@code FILE.2}, up
 * to the configured number. Another program (logrotate) may rename it as well: within a second a new file is created.
 * Used by one thread.
 */
final class RotatedFile implements AutoCloseable {

  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

  private final Path path;
  private final long most;
  private final int keep;
  private @Nullable FileChannel channel;
  private @Nullable Object identity;
  private long size;
  private long looked;

  /** @throws IOException if the file cannot be opened */
  RotatedFile(Path path, long most, int keep) throws IOException {
    this.path = path;
    this.most = most;
    this.keep = keep;
    open();
  }

  void write(byte[] bytes, int length) throws IOException {
    if (System.nanoTime() - looked > LOOK_NANOS && !isStillThere()) {
      close();
    }
    if (most > 0 && size > 0 && size + length > most) {
      rotate();
    }
    FileChannel to = channel == null ? open() : channel;
    ByteBuffer rest = ByteBuffer.wrap(bytes, 0, length);
    try {
      while (rest.hasRemaining()) {
        size += to.write(rest);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private FileChannel open() throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    createPrivately();
    FileChannel opened =
        FileChannel.open(path, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    channel = opened;
    size = opened.size();
    identity = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    looked = System.nanoTime();
    return opened;
  }

  /** The log shows who used which app, so other users of this machine must not read it. */
  private void createPrivately() throws IOException {
    try {
      Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
    } catch (FileAlreadyExistsException | UnsupportedOperationException e) {
      return; // an existing file keeps its permissions
    }
  }

  private boolean isStillThere() throws IOException {
    looked = System.nanoTime();
    try {
      Object found = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return found == null || found.equals(identity);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private void rotate() throws IOException {
    close();
    for (int i = keep - 1; i >= 1; i--) {
      Path older = numbered(i);
      if (Files.exists(older)) {
        Files.move(older, numbered(i + 1), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (Files.exists(path)) {
      Files.move(path, numbered(1), StandardCopyOption.REPLACE_EXISTING);
    }
    open();
  }

  private Path numbered(int number) {
    return path.resolveSibling(path.getFileName() + "." + number);
  }

  @Override
  public void close() {
    FileChannel open = channel;
    channel = null;
    size = 0;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        return; // all data was already written
      }
    }
  }
}
