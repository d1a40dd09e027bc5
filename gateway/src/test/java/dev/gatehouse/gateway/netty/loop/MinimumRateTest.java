package dev.gatehouse.gateway.netty.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** SECURITY-CASES 60: who is slow on purpose runs out of time, who has a slow line does not. */
class MinimumRateTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long BEGIN = Long.MAX_VALUE - 5 * SECOND;

  private static MinimumRate begun() {
    MinimumRate pace = new MinimumRate(Duration.ofSeconds(30), 500);
    pace.restart(BEGIN);
    return pace;
  }

  @Test
  void nothingAtAllIsWaitedForAsLongAsThePatienceLasts() {
    MinimumRate pace = begun();
    assertThat(pace.isOver(BEGIN + 30 * SECOND)).isFalse();
    assertThat(pace.isOver(BEGIN + 30 * SECOND + 1)).isTrue();
  }

  @Test
  void aByteNowAndThenBuysNoTime() {
    MinimumRate pace = begun();
    pace.arrived(1, BEGIN + 29 * SECOND);
    assertThat(pace.isOver(BEGIN + 31 * SECOND)).isTrue();
  }

  @Test
  void fiveHundredBytesASecondMayTakeForEver() {
    MinimumRate pace = begun();
    for (int second = 1; second < 1000; second++) {
      assertThat(pace.isOver(BEGIN + second * SECOND)).isFalse();
      pace.arrived(500, BEGIN + second * SECOND);
    }
  }

  @Test
  void aLotAtOnceBuysNoMoreThanThePatience() {
    MinimumRate pace = begun();
    pace.arrived(Integer.MAX_VALUE, BEGIN);
    assertThat(pace.isOver(BEGIN + 30 * SECOND + 1)).isTrue();
  }
}
