package dev.gatehouse.common.space;

import dev.gatehouse.common.node.SpaceConfig;
import dev.gatehouse.common.throttle.LogThrottle;
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

/** Measures the space of the node's disks once a second. Its methods return the last result and cost nothing. */
public final class SpaceWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SpaceWatch.class);
  private static final long EVERY_MILLIS = 1000;

  /**
   * The state of one disk.
   *
   * @param problem why nothing can be written
   */
  public record Disk(String name, Path directory, SpaceState state, long free, Optional<String> problem) {}

  private final LogThrottle failures = new LogThrottle();
  private final List<DiskSpace> disks = new ArrayList<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("gatehouse-space").daemon().factory());

  /**
   * Starts the watch; the first measurement is finished when it returns.
   *
   * @param directories by the names for log, health and metrics; folders on one disk are watched once, under the first name
   */
  public SpaceWatch(Map<String, Path> directories, SpaceConfig config) {
    directories.forEach(
        (name, directory) -> {
          if (disks.stream().noneMatch(disk -> sameDisk(disk.directory(), directory))) {
            disks.add(new DiskSpace(name, directory, config));
          }
        });
    measureAll();
    thread.scheduleWithFixedDelay(this::measureAll, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Returns whether new data are refused. */
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

  /** Releases the reserves of full disks at once, for a caller whose write has failed; returns whether one was released. */
  public boolean relieve() {
    boolean released = false;
    for (DiskSpace disk : disks) {
      released |= disk.relieve();
    }
    return released;
  }

  private void measureAll() {
    for (DiskSpace disk : disks) {
      try {
        disk.measure();
      } catch (Throwable e) {
        // Errors are caught too: an exception thrown from here would end the watch for good.
        failures
            .count()
            .ifPresent(
                times -> LOG.error("The disk of {} cannot be measured ({} times since the start)", disk.name(), times, e));
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
