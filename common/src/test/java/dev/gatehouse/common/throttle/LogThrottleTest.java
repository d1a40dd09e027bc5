package dev.gatehouse.common.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogThrottleTest {

  @Test
  void theFirstIsSaidAtOnceAndTheOthersOnceAMinuteWithACount() {
    // A clock that overflows on the way, as System.nanoTime may.
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(30).toNanos());
    LogThrottle throttle = new LogThrottle(nanos::get);
    assertThat(throttle.count()).hasValue(1);
    for (int i = 0; i < 599; i++) {
      nanos.addAndGet(Duration.ofMillis(100).toNanos());
      assertThat(throttle.count()).isEmpty();
    }
    nanos.addAndGet(Duration.ofMillis(100).toNanos());
    assertThat(throttle.count()).hasValue(601);
    assertThat(throttle.count()).isEmpty();
    assertThat(throttle.times()).isEqualTo(602);
  }
}
