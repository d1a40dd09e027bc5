package dev.gatehouse.common.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread ends what is late, and nothing that was removed. */
@Timeout(60)
class DeadlinesTest {

  @Test
  void whatIsLateEndsOnceAndInTimeAndOthersGoOn() throws InterruptedException {
    try (Deadlines deadlines = new Deadlines("test")) {
      AtomicInteger ended = new AtomicInteger();
      Deadlines.Entry removed = deadlines.add(System.nanoTime(), ended::incrementAndGet);
      deadlines.remove(removed);
      int before = ended.get();
      deadlines.add(System.nanoTime() + Duration.ofHours(1).toNanos(), ended::incrementAndGet);
      long deadline = System.nanoTime() + Duration.ofMillis(100).toNanos();
      CountDownLatch late = new CountDownLatch(1);
      deadlines.add(deadline, late::countDown);
      assertThat(late.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(System.nanoTime() - deadline).isNotNegative();
      assertThat(ended).hasValue(before);
    }
  }

  @Test
  void oneThatCannotBeEndedKeepsNoOtherFromItsEnd() throws InterruptedException {
    try (Deadlines deadlines = new Deadlines("test")) {
      deadlines.add(
          System.nanoTime(),
          () -> {
            throw new IllegalStateException("of the test");
          });
      CountDownLatch late = new CountDownLatch(1);
      deadlines.add(System.nanoTime() + Duration.ofMillis(200).toNanos(), late::countDown);
      assertThat(late.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }
}
