package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The thread that syncs and sweeps the embedded stores. */
class RocksBackgroundTest {

  @TempDir Path data;

  @Test
  void goesOnAfterAnError() throws InterruptedException {
    CountDownLatch calls = new CountDownLatch(2);
    try (RocksStores stores = new RocksStores(data, new TestTime())) {
      stores.onSynced(
          position -> {
            calls.countDown();
            throw new OutOfMemoryError("of the test");
          });
      assertThat(calls.await(60, TimeUnit.SECONDS)).as("synced again after the error").isTrue();
    }
  }

  /** An interrupt closes the channel of a file under the thread that writes it (ClosedByInterruptException). */
  @Test
  void aStopWaitsForWhatIsUnderWayAndDoesNotInterruptIt() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    AtomicBoolean finished = new AtomicBoolean();
    try (RocksStores stores = new RocksStores(data, new TestTime())) {
      stores.onSynced(
          position -> {
            begun.countDown();
            try {
              Thread.sleep(500);
            } catch (InterruptedException e) {
              interrupted.set(true);
            }
            finished.set(true);
          });
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(finished).isTrue();
    assertThat(interrupted).isFalse();
  }
}
