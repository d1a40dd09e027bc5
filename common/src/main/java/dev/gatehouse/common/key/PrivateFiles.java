package dev.gatehouse.common.key;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Files that only their owner may read (0600, in folders with 0700), always replaced as a whole. */
public final class PrivateFiles {

  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_FILE = attribute("rw-------");
  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_FOLDER = attribute("rwx------");

  /** A file lock excludes other processes, but not other threads of this one. */
  private static final ReentrantLock THIS_PROCESS = new ReentrantLock();

  private PrivateFiles() {}

  /** Identifies a version of a file: it changes when the file is replaced. */
  record Stamp(FileTime modified, long size, String key) {}

  /** Work that runs under a lock. */
  public interface Work<T> {
    T run() throws IOException;
  }

  /**
   * Returns the attributes of the file or folder; empty only if there is nothing under that name.
   *
   * @throws FileUnreadable if it cannot be inspected, for example without permission
   */
  public static Optional<BasicFileAttributes> look(Path file) {
    try {
      return Optional.of(Files.readAttributes(file, BasicFileAttributes.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new FileUnreadable(file, e);
    }
  }

  /**
   * Returns the content; empty only if there is no such file.
   *
   * @throws FileUnreadable if the file cannot be read
   */
  public static Optional<byte[]> read(Path file) {
    try {
      return Optional.of(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new FileUnreadable(file, e);
    }
  }

  /** Forces a file, or the names in a folder, to disk. */
  public static void force(Path fileOrFolder) throws IOException {
    try (FileChannel channel = FileChannel.open(fileOrFolder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  static Stamp stamp(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return new Stamp(attributes.lastModifiedTime(), attributes.size(), String.valueOf(attributes.fileKey()));
  }

  /** Creates the folder, and missing folders above it. */
  public static void createFolder(Path folder) throws IOException {
    Files.createDirectories(folder, OWNERS_FOLDER);
  }

  /** Replaces the file atomically: a concurrent reader sees the old content or the new. On disk when it returns. */
  public static void replace(Path file, String content) throws IOException {
    replace(file, content.getBytes(StandardCharsets.UTF_8));
  }

  /** As {@link #replace(Path, String)}, of any content. */
  public static void replace(Path file, byte[] content) throws IOException {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file lies in a folder");
    Path fresh = Files.createTempFile(folder, ".new", "", OWNERS_FILE);
    try {
      Files.write(fresh, content);
      force(fresh);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
    force(folder);
  }

  /** Runs the work while no other thread or process runs work on the same folder. */
  static <T> T locked(Path folder, Work<T> work) throws IOException {
    return locked(folder, ".lock", work);
  }

  /** As {@link #locked(Path, Work)} under a lock file of that name, which may be locked while another one is held. */
  static <T> T locked(Path folder, String lockFile, Work<T> work) throws IOException {
    THIS_PROCESS.lock();
    try {
      createFolder(folder);
      Set<StandardOpenOption> create = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try (FileChannel channel = FileChannel.open(folder.resolve(lockFile), create, OWNERS_FILE);
          FileLock lock = channel.lock()) {
        if (!lock.isValid()) {
          throw new IOException("The lock on " + folder + " was lost");
        }
        return work.run();
      }
    } finally {
      THIS_PROCESS.unlock();
    }
  }

  private static FileAttribute<Set<PosixFilePermission>> attribute(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }
}
