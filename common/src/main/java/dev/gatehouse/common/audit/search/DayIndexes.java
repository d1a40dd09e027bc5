package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder with the parts of each day, {@code 2026-11-23_1-16384.part}, which are mapped when they are first needed. A file {@code
 * 2026-11-23.rebuild} says that the parts of a day are being made again.
 */
final class DayIndexes implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DayIndexes.class);
  private static final String REBUILD = ".rebuild";
  private static final String DAMAGED = ".damaged";

  /** What a kill leaves behind, and files of the former version. */
  private static final String LEFTOVERS = "{.new*,*.mv}";

  /** Work with one day. */
  interface Work<T> {
    T with(DayIndex index);
  }

  private interface Step {
    void run() throws IOException;
  }

  private final Path folder;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final TreeMap<LocalDate, DayIndex> days = new TreeMap<>();
  private boolean isListed;
  private boolean isClosed;

  DayIndexes(Path folder) {
    this.folder = folder;
  }

  /** Returns the days that have a part, or events in memory. */
  NavigableSet<LocalDate> days() throws IOException {
    list();
    lock.readLock().lock();
    try {
      NavigableSet<LocalDate> known = new TreeSet<>();
      days.forEach(
          (day, index) -> {
            if (!index.isEmpty()) {
              known.add(day);
            }
          });
      return known;
    } finally {
      lock.readLock().unlock();
    }
  }

  private void list() throws IOException {
    lock.readLock().lock();
    try {
      if (isListed) {
        return;
      }
    } finally {
      lock.readLock().unlock();
    }
    exclusively(this::listOnce);
  }

  private void listOnce() throws IOException {
    if (isListed) {
      return;
    }
    Map<LocalDate, List<PartName>> names = new TreeMap<>();
    for (Path file : files("*.part")) {
      PartName.parse(name(file)).ifPresent(name -> names.computeIfAbsent(name.day(), day -> new ArrayList<>()).add(name));
    }
    for (Map.Entry<LocalDate, List<PartName>> day : names.entrySet()) {
      List<PartName> all = day.getValue();
      List<PartName> kept = all.stream().filter(name -> all.stream().noneMatch(other -> other.contains(name))).sorted().toList();
      for (PartName name : all) {
        if (!kept.contains(name)) {
          Files.deleteIfExists(folder.resolve(name.toString()));
        }
      }
      days.put(day.getKey(), new DayIndex(kept));
    }
    isListed = true;
  }

  private List<Path> files(String glob) throws IOException {
    List<Path> files = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
        found.forEach(files::add);
      }
    }
    return files;
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  /** Removes what a kill left behind, and files of the former version. */
  void removeLeftovers() throws IOException {
    for (Path file : files(LEFTOVERS)) {
      Files.deleteIfExists(file);
    }
  }

  /** Runs the work; empty if a part is damaged: then all parts of the day were put aside. */
  <T> Optional<T> use(LocalDate day, Work<T> work) throws IOException {
    list();
    try {
      while (true) {
        lock.readLock().lock();
        try {
          DayIndex index = days.get(day);
          if (index != null && index.isOpen()) {
            return Optional.of(work.with(index));
          }
        } finally {
          lock.readLock().unlock();
        }
        exclusively(() -> opened(day));
      }
    } catch (DamagedPart | IndexOutOfBoundsException | BufferOverflowException | NoSuchFileException | InternalError e) {
      // A mapped file that cannot be read, because it was cut off or its disk failed, is an InternalError.
      setAside(day, e);
      return Optional.empty();
    }
  }

  private DayIndex opened(LocalDate day) throws IOException {
    DayIndex index = days.computeIfAbsent(day, unknown -> new DayIndex(List.of()));
    if (!index.isOpen()) {
      index.open(folder);
    }
    return index;
  }

  private void exclusively(Step step) throws IOException {
    lock.writeLock().lock();
    try {
      if (isClosed) {
        throw new IOException("the index is closed");
      }
      step.run();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Returns the number of events that are in memory only. */
  int recentSize() {
    lock.readLock().lock();
    try {
      return days.values().stream().mapToInt(DayIndex::recentSize).sum();
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Returns how far the log was followed if nothing but the events of one day becomes a part.
   *
   * @param position the number of the last event that was followed
   */
  long followedWithout(LocalDate flushed, long position) {
    lock.readLock().lock();
    try {
      return days.entrySet().stream()
          .filter(day -> !day.getKey().equals(flushed))
          .flatMap(day -> day.getValue().recent().stream())
          .mapToLong(row -> row.seq() - 1)
          .min()
          .orElse(position);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Returns the days that have events in memory only. */
  NavigableSet<LocalDate> recentDays() {
    lock.readLock().lock();
    try {
      NavigableSet<LocalDate> recent = new TreeSet<>();
      days.forEach(
          (day, index) -> {
            if (index.recentSize() > 0) {
              recent.add(day);
            }
          });
      return recent;
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Makes a part of the events that are in memory only, and merges parts; returns whether no part of the day is damaged.
   *
   * @param followed the number of the last event up to which all are in parts then
   * @param isOver whether more events of that day are not expected
   */
  boolean flush(LocalDate day, long followed, boolean isOver) throws IOException {
    Optional<List<EventRow>> rows = use(day, DayIndex::recent);
    if (rows.isPresent() && !rows.get().isEmpty()) {
      take(day, List.of(), PartMaker.of(day, rows.get(), followed));
    }
    while (true) {
      Optional<List<Part>> few = use(day, index -> index.mergeable(isOver));
      if (few.isEmpty() || few.get().isEmpty()) {
        return few.isPresent();
      }
      Optional<PartMaker> merged = use(day, index -> PartMaker.merged(day, few.get()));
      if (merged.isEmpty()) {
        return false;
      }
      take(day, few.get(), merged.get());
    }
  }

  private void take(LocalDate day, List<Part> replaced, PartMaker made) throws IOException {
    PrivateFiles.createFolder(folder);
    Path file = folder.resolve(made.name().toString());
    PrivateFiles.replace(file, made.writer().content());
    exclusively(() -> opened(day).replace(replaced, made.name(), Part.open(file)));
  }

  private void setAside(LocalDate day, Throwable cause) throws IOException {
    LOG.warn(
        "The index of audit events of {} was damaged: a part of it is in {} now, and it is made again from the audit log: {}",
        day, folder.resolve(day + DAMAGED), String.valueOf(cause.getMessage()).lines().findFirst().orElse(""));
    exclusively(
        () -> {
          for (Path file : remove(day)) {
            if (Files.exists(file)) {
              Files.move(file, folder.resolve(day + DAMAGED), StandardCopyOption.REPLACE_EXISTING);
            }
          }
        });
  }

  /** Forgets a day; returns its files. */
  private List<Path> remove(LocalDate day) {
    DayIndex index = days.remove(day);
    if (index == null) {
      return List.of();
    }
    index.close();
    return index.names().stream().map(name -> folder.resolve(name.toString())).toList();
  }

  /** Removes the files of a day. */
  void drop(LocalDate day) throws IOException {
    exclusively(
        () -> {
          for (Path file : remove(day)) {
            Files.deleteIfExists(file);
          }
          Files.deleteIfExists(folder.resolve(day + DAMAGED));
          Files.deleteIfExists(folder.resolve(day + REBUILD));
        });
  }

  /** Removes the parts of a day that are made again from now on. */
  void beginRebuild(LocalDate day) throws IOException {
    PrivateFiles.createFolder(folder);
    PrivateFiles.replace(folder.resolve(day + REBUILD), new byte[0]);
    exclusively(
        () -> {
          for (Path file : remove(day)) {
            Files.deleteIfExists(file);
          }
        });
  }

  /** Notes that the parts of a day have all its events; a day without any has an empty part. */
  void endRebuild(LocalDate day) throws IOException {
    if (use(day, DayIndex::isEmpty).orElse(false)) {
      take(day, List.of(), PartMaker.of(day, List.of(), 0));
    }
    Files.deleteIfExists(folder.resolve(day + REBUILD));
  }

  /** Returns the days whose parts were being made again when the node stopped. */
  List<LocalDate> interruptedRebuilds() throws IOException {
    List<LocalDate> interrupted = new ArrayList<>();
    for (Path file : files("*" + REBUILD)) {
      String name = name(file);
      try {
        interrupted.add(LocalDate.parse(name.substring(0, name.length() - REBUILD.length())));
      } catch (DateTimeException e) {
        Files.deleteIfExists(file);
      }
    }
    return interrupted;
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      isClosed = true;
      days.values().forEach(DayIndex::close);
    } finally {
      lock.writeLock().unlock();
    }
  }
}
