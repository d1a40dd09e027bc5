package dev.gatehouse.common.space;

import dev.gatehouse.common.realm.SpaceConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The disk of one folder, and the reserve that lies there. Looked at by one thread; its state is read by all. */
final class DiskSpace {

  private static final Logger LOG = LoggerFactory.getLogger(DiskSpace.class);

  /** What must be free beyond a limit before it is over: states do not flutter. */
  private static final double BEYOND = 1.2;

  private final String name;
  private final Path directory;
  private final SpaceConfig config;
  private final Path reserve;
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

  /** Why nothing can be written; empty where it can. */
  Optional<String> problem() {
    return Optional.of(problem).filter(text -> !text.isEmpty());
  }

  /** Measures, gives the reserve free or makes it again, and says in the log what changed. */
  void look() {
    try {
      FileStore disk = Files.getFileStore(directory);
      SpaceConfig limits = config.onDiskOf(disk.getTotalSpace());
      free = disk.getUsableSpace();
      boolean tight = free < limits.low();
      Optional<String> unwritable =
          disk.isReadOnly() ? Optional.of("The file system is read-only") : tight ? WriteProbe.problem(directory) : Optional.empty();
      boolean full = unwritable.isPresent() || free < limits.reserve() / 2;
      if (full && !disk.isReadOnly() && Files.deleteIfExists(reserve)) {
        LOG.warn("The disk of {} ({}) is full: the reserve of {} bytes is given free for what ends something", name, directory, limits.reserve());
        free = disk.getUsableSpace();
        unwritable = WriteProbe.problem(directory);
      } else if (unwritable.isEmpty() && free > limits.low() * BEYOND + limits.reserve()) {
        keepReserve(limits.reserve());
      }
      enter(unwritable.isPresent() ? SpaceState.UNWRITABLE : byFree(limits), unwritable.orElse(""));
    } catch (IOException e) {
      enter(SpaceState.UNWRITABLE, String.valueOf(e.getMessage()));
    }
  }

  private SpaceState byFree(SpaceConfig limits) {
    double low = limits.low() * (state.compareTo(SpaceState.LOW) >= 0 ? BEYOND : 1);
    double warning = limits.warning() * (state.compareTo(SpaceState.SCARCE) >= 0 ? BEYOND : 1);
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
              "The disk of {} ({}) is nearly full: {} KB are free; new sign-ons, tokens and registrations are refused, logouts and revocations are written",
              name, directory, free >> 10);
      case UNWRITABLE -> LOG.error("Nothing can be written to the disk of {} ({}): {}", name, directory, why);
    }
  }

  /** Filled with what no file system can leave out or compress. */
  private void keepReserve(long size) throws IOException {
    if (size == 0 || Files.exists(reserve)) {
      return;
    }
    Path made = directory.resolve(".space-reserve.new");
    SplittableRandom noise = new SplittableRandom();
    try (OutputStream out = Files.newOutputStream(made)) {
      byte[] block = new byte[64 << 10];
      for (long left = size; left > 0; left -= block.length) {
        noise.nextBytes(block);
        out.write(block, 0, (int) Math.min(left, block.length));
      }
    } catch (IOException e) {
      Files.deleteIfExists(made);
      LOG.warn("The reserve of {} bytes in {} cannot be made: {}", size, directory, e.getMessage());
      return;
    }
    Files.move(made, reserve, StandardCopyOption.ATOMIC_MOVE);
  }
}
