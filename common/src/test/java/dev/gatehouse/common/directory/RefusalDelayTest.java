package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** SECURITY-CASES 44. */
final class RefusalDelayTest {

  private static final Duration MAX = Duration.ofSeconds(5);

  @Test
  void beforeAnyWrongPasswordNothingWaits() {
    assertThat(new RefusalDelay(MAX).settle(Duration.ofMillis(1), false)).isZero();
  }

  @Test
  void unknownNamesSpreadAsWrongPasswordsDo() {
    RefusalDelay delay = new RefusalDelay(MAX);
    List<Duration> wrong = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      Duration took = Duration.ofMillis(60 + i % 7);
      wrong.add(took);
      assertThat(delay.settle(took, true)).isZero();
    }
    List<Duration> unknown = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      Duration took = Duration.ofMillis(2);
      unknown.add(took.plus(delay.settle(took, false)));
    }
    assertThat(unknown).containsExactlyInAnyOrderElementsOf(wrong);
  }

  @Test
  void aLockedAccountThatTheDirectoryRefusesUnreadWaitsToo() {
    RefusalDelay delay = new RefusalDelay(MAX);
    delay.settle(Duration.ofMillis(80), true);
    assertThat(delay.settle(Duration.ofMillis(1), true)).isEqualTo(Duration.ofMillis(79));
    assertThat(delay.settle(Duration.ofMillis(80), true)).isZero();
    assertThat(delay.settle(Duration.ofMillis(1), false)).isEqualTo(Duration.ofMillis(79));
  }

  @Test
  void rememberingAndWaitingInTurnForgetsNothing() {
    RefusalDelay delay = new RefusalDelay(MAX);
    for (int i = 0; i < 200; i++) {
      assertThat(delay.settle(Duration.ofMillis(50), true)).isZero();
      assertThat(delay.settle(Duration.ofMillis(2), false)).isEqualTo(Duration.ofMillis(48));
      assertThat(delay.settle(Duration.ofMillis(2), true)).isEqualTo(Duration.ofMillis(48));
    }
  }

  @Test
  void theDirectorysOwnNoiseIsLeftAlone() {
    RefusalDelay delay = new RefusalDelay(MAX);
    delay.settle(Duration.ofNanos(400_000), true);
    assertThat(delay.settle(Duration.ofNanos(350_000), false)).isZero();
  }

  @Test
  void theWaitIsBounded() {
    RefusalDelay delay = new RefusalDelay(Duration.ofMillis(100));
    delay.settle(Duration.ofSeconds(3), true);
    assertThat(delay.settle(Duration.ofMillis(1), false)).isEqualTo(Duration.ofMillis(100));
  }
}
