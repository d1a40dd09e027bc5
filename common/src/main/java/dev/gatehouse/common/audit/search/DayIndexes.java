package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder with a file for each day, {@code 2026-11-23.mv}. Files are opened when needed and closed when idle. */
final class DayIndexes implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DayIndexes.class);
  private static final String SUFFIX = ".mv";
  private static final String BUILDING = ".building";
  private static final int MOST_OPEN = 40;
  private static final Duration IDLE = Duration.ofMinutes(5);

  /** Errors of MVStore that do not mean damage: the file is open elsewhere, or the disk is full. */
  private static final Set<Integer> OTHER_CAUSES =
      Set.of(DataUtils.ERROR_FILE_LOCKED, DataUtils.ERROR_WRITING_FAILED, DataUtils.ERROR_CLOSED);

  /** Work with one file. */
  interface Work<T> {
    T with(DayIndex index);
  }

  private static final class Open {
    private final DayIndex index;
    private volatile long usedAt = System.nanoTime();

    Open(DayIndex index) {
      this.index = index;
    }
  }

  private final Path folder;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<LocalDate, Open> open = new HashMap<>();
  private boolean closed;

  DayIndexes(Path folder) {
    this.folder = folder;
  }

  /** Returns the days that have a file. */
  NavigableSet<LocalDate> days() throws IOException {
    NavigableSet<LocalDate> days = new TreeSet<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
        files.forEach(file -> day(file).ifPresent(days::add));
      }
    }
    return days;
  }

  private static Optional<LocalDate> day(Path file) {
    String name = file.getFileName().toString();
    try {
      return Optional.of(LocalDate.parse(name.substring(0, name.length() - SUFFIX.length())));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Runs the work; empty if the file was damaged, and was moved aside. Creates the file if it does not exist. */
  <T> Optional<T> use(LocalDate day, Work<T> work) throws IOException {
    try {
      while (true) {
        lock.readLock().lock();
        try {
          Open found = open.get(day);
          if (found != null) {
            found.usedAt = System.nanoTime();
            return Optional.of(work.with(found.index));
          }
        } finally {
          lock.readLock().unlock();
        }
        open(day);
      }
    } catch (MVStoreException e) {
      if (OTHER_CAUSES.contains(e.getErrorCode())) {
        // After a failed write, for example on a full disk, a store is closed for good: the next use opens it again.
        closeFailed(day);
        throw e;
      }
      setAside(day, e);
      return Optional.empty();
    }
  }

  private void open(LocalDate day) throws IOException {
    lock.writeLock().lock();
    try {
      if (closed) {
        throw new IOException("the index is closed");
      }
      if (!open.containsKey(day)) {
        PrivateFiles.createFolder(folder);
        closeOldest();
        open.put(day, new Open(DayIndex.open(file(day, ""))));
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void closeOldest() {
    if (open.size() >= MOST_OPEN) {
      open.entrySet().stream()
          .min(Comparator.comparingLong((Map.Entry<LocalDate, Open> entry) -> entry.getValue().usedAt - System.nanoTime()))
          .map(Map.Entry::getKey)
          .ifPresent(this::close);
    }
  }

  /** Closes files that nobody used for some minutes. */
  void closeIdle() {
    lock.writeLock().lock();
    try {
      long now = System.nanoTime();
      open.entrySet().stream()
          .filter(entry -> now - entry.getValue().usedAt > IDLE.toNanos())
          .map(Map.Entry::getKey)
          .toList()
          .forEach(this::close);
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void close(LocalDate day) {
    Open was = open.remove(day);
    if (was != null) {
      close(was.index);
    }
  }

  static void close(DayIndex index) {
    try {
      index.close();
    } catch (RuntimeException e) {
      LOG.debug("A file of the audit index did not close in order", e);
    }
  }

  private Path file(LocalDate day, String state) {
    return folder.resolve(day + state + SUFFIX);
  }

  private void closeFailed(LocalDate day) {
    lock.writeLock().lock();
    try {
      close(day);
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void setAside(LocalDate day, Exception cause) throws IOException {
    lock.writeLock().lock();
    try {
      close(day);
      Path damaged = folder.resolve(day + ".damaged");
      if (Files.exists(file(day, ""))) {
        Files.move(file(day, ""), damaged, StandardCopyOption.REPLACE_EXISTING);
      }
      LOG.warn(
          "The index of audit events of {} was damaged: it is in {} now, and is made again from the audit log: {}",
          day, damaged, String.valueOf(cause.getMessage()).lines().findFirst().orElse(""));
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Removes the file of a day. */
  void drop(LocalDate day) throws IOException {
    lock.writeLock().lock();
    try {
      close(day);
      Files.deleteIfExists(file(day, ""));
      Files.deleteIfExists(folder.resolve(day + ".damaged"));
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Creates an empty file that is not used before it is {@link #built}. */
  DayIndex build(LocalDate day) throws IOException {
    PrivateFiles.createFolder(folder);
    Files.deleteIfExists(file(day, BUILDING));
    return DayIndex.open(file(day, BUILDING));
  }

  /** Takes the file into use; it must be closed. */
  void built(LocalDate day) throws IOException {
    lock.writeLock().lock();
    try {
      close(day);
      Files.move(file(day, BUILDING), file(day, ""), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      closed = true;
      Set.copyOf(open.keySet()).forEach(this::close);
    } finally {
      lock.writeLock().unlock();
    }
  }
}
