package dev.gatehouse.common.space;

import dev.gatehouse.common.realm.SpaceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks once a second how much can still be written to the node's disks. Its answers cost nothing. */
public final class SpaceWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SpaceWatch.class);
  private static final long EVERY_MILLIS = 1000;

  /** One disk. @param problem why nothing can be written */
  public record Disk(String name, Path directory, SpaceState state, long free, Optional<String> problem) {}

  private final List<DiskSpace> disks = new ArrayList<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("gatehouse-space").daemon().factory());

  /**
   * Looks for the first time before it returns.
   *
   * @param directories by the names that log, health and metrics use; folders of one disk are watched as one, by the first name
   */
  public SpaceWatch(Map<String, Path> directories, SpaceConfig config) {
    directories.forEach(
        (name, directory) -> {
          if (disks.stream().noneMatch(disk -> sameDisk(disk.directory(), directory))) {
            disks.add(new DiskSpace(name, directory, config));
          }
        });
    look();
    thread.scheduleWithFixedDelay(this::look, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Whether what is new is refused. */
  public boolean isLow() {
    for (DiskSpace disk : disks) {
      if (disk.state().compareTo(SpaceState.LOW) >= 0) {
        return true;
      }
    }
    return false;
  }

  public List<Disk> disks() {
    return disks.stream()
        .map(disk -> new Disk(disk.name(), disk.directory(), disk.state(), disk.free(), disk.problem()))
        .toList();
  }

  private void look() {
    for (DiskSpace disk : disks) {
      try {
        disk.look();
      } catch (Throwable e) {
        // An Error too: what is thrown out of here would end the watch for good.
        LOG.error("The disk of {} cannot be looked at", disk.name(), e);
      }
    }
  }

  private static boolean sameDisk(Path one, Path other) {
    try {
      return Files.getFileStore(one).equals(Files.getFileStore(other));
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
