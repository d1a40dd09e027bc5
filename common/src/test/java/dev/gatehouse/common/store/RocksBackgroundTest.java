package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
}
