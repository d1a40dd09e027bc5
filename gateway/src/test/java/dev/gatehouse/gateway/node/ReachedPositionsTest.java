package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.installation.SyncedPositions;
import dev.gatehouse.common.installation.SyncedPositions.Reached;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReachedPositionsTest {

  @TempDir Path keys;

  /** H2 whose disk hangs, or which was closed by a write that failed. */
  private record Slow(CountDownLatch asked, CountDownLatch answering, AtomicLong at) implements ReachedPositions.Engine {

    Slow() {
      this(new CountDownLatch(1), new CountDownLatch(1), new AtomicLong(3));
    }

    @Override
    public long position() {
      asked.countDown();
      try {
        answering.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted in H2", e);
      }
      return at.get();
    }

    @Override
    public long sync() {
      return at.get();
    }
  }

  @Test
  void troubleOfTheDatabaseHoldsNothingOfRocksDbUp() throws Exception {
    SyncedPositions positions = new SyncedPositions(keys);
    positions.write(new Reached(1, 2));
    Slow h2 = new Slow();
    try (ReachedPositions reached = new ReachedPositions(positions, h2);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> syncing = threads.submit(reached::syncH2);
      h2.asked().await();
      reached.rocksdb(10);
      assertThat(new SyncedPositions(keys).read()).contains(new Reached(10, 2));
      h2.answering().countDown();
      syncing.get(30, TimeUnit.SECONDS);
      assertThat(new SyncedPositions(keys).read()).contains(new Reached(10, 3));
      reached.rocksdb(11);
      assertThat(new SyncedPositions(keys).read()).contains(new Reached(11, 3));
    }
  }
}
