package dev.gatehouse.gateway.node;

import dev.gatehouse.common.db.H2Database;
import dev.gatehouse.common.installation.SyncedPositions;
import dev.gatehouse.common.throttle.RepeatedTask;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes every second how far each storage engine is on disk. H2 is forced by a separate thread: while it fails or is
 * slow, RocksDB is still synced every second.
 */
final class ReachedPositions implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReachedPositions.class);

  /** An engine whose position can be read and forced to disk. */
  interface Engine {
    long position();

    long sync();
  }

  private final SyncedPositions positions;
  private final Engine h2;
  private Optional<RepeatedTask> thread = Optional.empty();
  private SyncedPositions.Reached reached;
  private Optional<SyncedPositions.Reached> written = Optional.empty();
  // Used by the thread only.
  private long synced = -1;
  private volatile boolean failing;

  ReachedPositions(SyncedPositions positions, H2Database database) {
    this(
        positions,
        new Engine() {
          @Override
          public long position() {
            return database.position();
          }

          @Override
          public long sync() {
            return database.sync();
          }
        });
    thread = Optional.of(RepeatedTask.begin("positions", "The positions of the stores cannot be noted", this::syncH2));
  }

  ReachedPositions(SyncedPositions positions, Engine h2) {
    this.positions = positions;
    this.h2 = h2;
    this.reached = positions.read().orElse(new SyncedPositions.Reached(0, 0));
  }

  /** Notes that RocksDB is on disk up to that position; only waits for the write of a few bytes. */
  void rocksdb(long position) {
    note(() -> storeRocksdb(position));
  }

  void syncH2() {
    note(
        () -> {
          if (h2.position() != synced) {
            long now = h2.sync();
            storeH2(now);
            synced = now;
          }
        });
  }

  private synchronized void storeRocksdb(long position) throws IOException {
    store(new SyncedPositions.Reached(position, reached.h2()));
  }

  private synchronized void storeH2(long position) throws IOException {
    store(new SyncedPositions.Reached(reached.rocksdb(), position));
  }

  private synchronized void store(SyncedPositions.Reached now) throws IOException {
    reached = now;
    if (!written.equals(Optional.of(now))) {
      positions.write(now);
      written = Optional.of(now);
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private void note(Step step) {
    try {
      step.run();
      failing = false;
    } catch (Throwable e) {
      // This may happen every second, so it is logged only once until it succeeds.
      if (!failing) {
        LOG.warn("The positions of the stores cannot be noted", e);
      }
      failing = true;
    }
  }

  /** Waits until a running sync has ended. */
  @Override
  public void close() {
    thread.ifPresent(RepeatedTask::close);
  }
}
