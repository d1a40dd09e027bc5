package dev.gatehouse.common.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RepeatedTaskTest {

  /** An interrupt closes files of the database under the task that uses them. */
  @Test
  void aStopWaitsForTheTaskAndDoesNotInterruptIt() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    AtomicBoolean finished = new AtomicBoolean();
    try (RepeatedTask every =
        RepeatedTask.begin(
            "test",
            "The test cannot be run",
            () -> {
              begun.countDown();
              try {
                Thread.sleep(500);
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
              finished.set(true);
            })) {
      assertThat(every).isNotNull();
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(finished).isTrue();
    assertThat(interrupted).isFalse();
  }
}
