package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.throttle.QuotaAccount;
import dev.gatehouse.common.throttle.QuotaAccount.Admission;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A holder keeps to its share, and nobody takes the share of all others. */
abstract class QuotaAccountContract {

  static final QuotaAccount.Limits LIMITS = new QuotaAccount.Limits(4, 8);

  final TestTime time = new TestTime(Instant.parse("2026-11-22T10:00:00Z"));
  private int keys;

  abstract QuotaAccount account();

  private Admission enter(String holder) {
    return account().enter("key" + ++keys, holder, 1, time.instant().plusSeconds(90));
  }

  private int entered(String holder, int tries) {
    int entered = 0;
    for (int i = 0; i < tries; i++) {
      if (enter(holder) instanceof Admission.Admitted) {
        entered++;
      }
    }
    return entered;
  }

  @Test
  void aHolderHasItsShareAndHearsWhenThereIsRoomAgain() {
    assertThat(entered("one", 6)).isEqualTo(4);
    assertThat(enter("two")).isEqualTo(new Admission.Admitted(List.of()));
    time.advance(Duration.ofSeconds(30));
    assertThat(enter("one")).isEqualTo(new Admission.Full(List.of(), Duration.ofSeconds(60)));
    time.advance(Duration.ofSeconds(60));
    assertThat(entered("one", 6)).isEqualTo(4);
  }

  @Test
  void whereAllIsFullTheHolderWithTheMostGivesWay() {
    assertThat(entered("one", 4)).isEqualTo(4);
    assertThat(entered("two", 3)).isEqualTo(3);
    assertThat(entered("three", 1)).isEqualTo(1);
    assertThat(enter("three")).as("the oldest of the first").isEqualTo(new Admission.Admitted(List.of("key1")));
    assertThat(account().leave("key1")).as("it is gone").isFalse();
    assertThat(enter("one")).as("nobody has more").isInstanceOf(Admission.Full.class);
  }

  @Test
  void aPlaceThatIsFreedIsGivenAgain() {
    assertThat(entered("one", 4)).isEqualTo(4);
    assertThat(account().leave("key2")).isTrue();
    assertThat(account().leave("key2")).isFalse();
    assertThat(account().leave("unknown")).isFalse();
    assertThat(entered("one", 4)).isEqualTo(1);
  }

  @Test
  void whatIsLargerThanAShareIsRefused() {
    assertThat(account().enter("large", "one", 5, time.instant().plusSeconds(90)))
        .isEqualTo(new Admission.Full(List.of(), Duration.ofSeconds(1)));
  }
}
