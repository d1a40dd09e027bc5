package dev.gatehouse.common.space;

import dev.gatehouse.common.node.SpaceConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The disk of one folder, and the reserve file in that folder. One thread at a time measures; all threads may read the state. */
final class DiskSpace {

  private static final Logger LOG = LoggerFactory.getLogger(DiskSpace.class);

  /** Factor by which free space must exceed a limit before its state ends, so that the state does not flap. */
  private static final double HYSTERESIS = 1.2;

  private final String name;
  private final Path directory;
  private final SpaceConfig config;
  private final Path reserve;
  private Optional<FileStore> former = Optional.empty();
  private volatile SpaceState state = SpaceState.PLENTY;
  private volatile long free;
  private volatile String problem = "";

  /** @param name for log, health and metrics */
  DiskSpace(String name, Path directory, SpaceConfig config) {
    this.name = name;
    this.directory = directory;
    this.config = config;
    this.reserve = directory.resolve(".space-reserve");
  }

  String name() {
    return name;
  }

  Path directory() {
    return directory;
  }

  SpaceState state() {
    return state;
  }

  long free() {
    return free;
  }

  /** Returns why nothing can be written; empty if the disk is writable. */
  Optional<String> problem() {
    return Optional.of(problem).filter(text -> !text.isEmpty());
  }

  /** Measures the free space, releases or recreates the reserve, and logs changes of state. */
  synchronized void measure() {
    try {
      FileStore disk = fileStore();
      SpaceConfig limits = config.onDiskOf(disk.getTotalSpace());
      free = disk.getUsableSpace();
      boolean tight = free < limits.low();
      Optional<String> unwritable =
          disk.isReadOnly() ? Optional.of("The file system is read-only") : tight ? WriteProbe.problem(directory) : Optional.empty();
      boolean full = unwritable.isPresent() || free < limits.reserve() / 2;
      if (full && !disk.isReadOnly() && Files.deleteIfExists(reserve)) {
        LOG.warn(
            "The disk of {} ({}) is full: the reserve of {} bytes is released for logouts and revocations",
            name, directory, limits.reserve());
        free = disk.getUsableSpace();
        unwritable = WriteProbe.problem(directory);
      } else if (unwritable.isEmpty() && free > limits.low() * HYSTERESIS + limits.reserve()) {
        createReserve(limits.reserve());
      }
      enter(unwritable.isPresent() ? SpaceState.UNWRITABLE : byFree(limits), unwritable.orElse(""));
    } catch (IOException e) {
      enter(SpaceState.UNWRITABLE, String.valueOf(e.getMessage()));
    }
  }

  /** Measures now, if there is a reserve to release; returns whether it was released. */
  synchronized boolean relieve() {
    if (Files.notExists(reserve)) {
      return false;
    }
    measure();
    return Files.notExists(reserve);
  }

  /**
   * Looking up the file store opens the system's list of mounts; measuring its free space opens no file. A process
   * that is out of descriptors therefore continues with the former file store, and does not take the disk for damaged.
   */
  private FileStore fileStore() throws IOException {
    try {
      FileStore found = Files.getFileStore(directory);
      former = Optional.of(found);
      return found;
    } catch (NoSuchFileException | AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      return former.orElseThrow(() -> e);
    }
  }

  private SpaceState byFree(SpaceConfig limits) {
    double low = limits.low() * (state.compareTo(SpaceState.LOW) >= 0 ? HYSTERESIS : 1);
    double warning = limits.warning() * (state.compareTo(SpaceState.SCARCE) >= 0 ? HYSTERESIS : 1);
    return free < low ? SpaceState.LOW : free < warning ? SpaceState.SCARCE : SpaceState.PLENTY;
  }

  private void enter(SpaceState next, String why) {
    SpaceState before = state;
    problem = why;
    state = next;
    if (before == next) {
      return;
    }
    switch (next) {
      case PLENTY -> LOG.info("The disk of {} ({}) has {} MB free again", name, directory, free >> 20);
      case SCARCE -> LOG.warn("The disk of {} ({}) is filling up: {} MB are free", name, directory, free >> 20);
      case LOW ->
          LOG.error(
              "The disk of {} ({}) is nearly full: {} KB are free; new sign-ons, tokens and registrations are refused, logouts and revocations are "
                  + "written",
              name, directory, free >> 10);
      case UNWRITABLE -> LOG.error("Nothing can be written to the disk of {} ({}): {}", name, directory, why);
    }
  }

  /** Creates the reserve. Random bytes fill it, so that no file system can omit or compress them. */
  private void createReserve(long size) throws IOException {
    if (size == 0 || Files.exists(reserve)) {
      return;
    }
    Path created = directory.resolve(".space-reserve.new");
    SplittableRandom noise = new SplittableRandom();
    try (OutputStream out = Files.newOutputStream(created)) {
      byte[] block = new byte[64 << 10];
      for (long left = size; left > 0; left -= block.length) {
        noise.nextBytes(block);
        out.write(block, 0, (int) Math.min(left, block.length));
      }
    } catch (IOException e) {
      Files.deleteIfExists(created);
      LOG.warn("The reserve of {} bytes in {} cannot be created: {}", size, directory, e.getMessage());
      return;
    }
    Files.move(created, reserve, StandardCopyOption.ATOMIC_MOVE);
  }
}
