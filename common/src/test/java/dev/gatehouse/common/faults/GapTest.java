package dev.gatehouse.common.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GapTest {

  private final AtomicLong now = new AtomicLong();
  private final Gap gap = new Gap("work", now::get);

  private void after(int seconds) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void aGapThatNoSuccessClosesCountsUntilNow() {
    gap.begin();
    gap.success();
    gap.begin();
    after(13);
    assertThat(gap.longest()).isEqualTo(Duration.ofSeconds(13));
  }

  @Test
  void aGapBeginsWithTheFirstAttemptThatFails() {
    gap.begin();
    gap.success();
    after(5);
    assertThat(gap.longest()).as("nobody asked").isZero();
    for (int i = 0; i < 3; i++) {
      gap.begin();
      after(2);
    }
    gap.success();
    assertThat(gap.longest()).isEqualTo(Duration.ofSeconds(6));
    gap.begin();
    after(1);
    gap.success();
    assertThat(gap.longest()).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void whatWasBeforeTheFaultDoesNotCount() {
    gap.begin();
    after(9);
    gap.reset();
    assertThat(gap.longest()).isZero();
    after(2);
    gap.success();
    assertThat(gap.longest()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void aSuccessIsOneSinceItsTime() {
    assertThat(gap.hasSucceededSince(0)).isFalse();
    gap.begin();
    after(1);
    gap.success();
    assertThat(gap.hasSucceededSince(now.get())).isTrue();
    assertThat(gap.hasSucceededSince(now.get() + 1)).isFalse();
  }
}
