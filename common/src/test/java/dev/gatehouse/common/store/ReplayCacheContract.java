package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link ReplayCache}. */
abstract class ReplayCacheContract {

  private static final ReplayKey KEY = new ReplayKey("demo", "https://idp.example", "_1");

  final TestTime time = new TestTime();

  /** Returns an empty cache; the same one during a test. */
  abstract ReplayCache cache();

  Instant later() {
    return time.instant().plusSeconds(300);
  }

  @Test
  void isFirstOnce() {
    assertThat(cache().firstSeen(KEY, later())).isTrue();
    assertThat(cache().firstSeen(KEY, later())).isFalse();
  }

  @Test
  void keepsTheMarkUntilItExpiresAndNotLonger() {
    cache().firstSeen(KEY, later());
    time.advance(Duration.ofSeconds(300).minusMillis(1));
    assertThat(cache().firstSeen(KEY, later())).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(cache().firstSeen(KEY, later())).isTrue();
    assertThat(cache().firstSeen(KEY, later())).isFalse();
  }

  @Test
  void tellsWhatIsMarkedWithoutMarking() {
    assertThat(cache().isMarked(KEY)).isFalse();
    assertThat(cache().firstSeen(KEY, later())).isTrue();
    assertThat(cache().isMarked(KEY)).isTrue();
    assertThat(cache().isMarked(new ReplayKey("other", KEY.issuer(), KEY.id()))).isFalse();
    time.advance(Duration.ofSeconds(300));
    assertThat(cache().isMarked(KEY)).isFalse();
  }

  @Test
  void keepsRealmsIssuersAndIdsApart() {
    List<ReplayKey> keys =
        List.of(
            new ReplayKey("r", "i", "x"),
            new ReplayKey("r", "ix", ""),
            new ReplayKey("ri", "", "x"),
            new ReplayKey("ri", "x", ""),
            new ReplayKey("r", "i\0x", ""),
            new ReplayKey("r", "i", "\0x"),
            new ReplayKey("r", "i\0", "x"),
            new ReplayKey("r", "", "i\0x"));
    assertThat(keys).allMatch(key -> cache().firstSeen(key, later()));
    assertThat(keys).noneMatch(key -> cache().firstSeen(key, later()));
  }

  @Test
  void isFirstForExactlyOneOfMany() throws Exception {
    for (int round = 0; round < 50; round++) {
      ReplayKey key = new ReplayKey("demo", "https://idp.example", "_" + round);
      Instant expiry = later();
      assertThat(Race.of(64, i -> () -> cache().firstSeen(key, expiry))).filteredOn(first -> first).hasSize(1);
    }
  }

  @Test
  void isFirstForExactlyOneOfManyWhenAnOldMarkExpired() throws Exception {
    for (int round = 0; round < 20; round++) {
      ReplayKey key = new ReplayKey("demo", "https://idp.example", "_" + round);
      cache().firstSeen(key, later());
      time.advance(Duration.ofSeconds(301));
      Instant expiry = later();
      assertThat(Race.of(64, i -> () -> cache().firstSeen(key, expiry))).filteredOn(first -> first).hasSize(1);
    }
  }

  @Test
  void isCompleteSinceItsBeginning() {
    Instant since = cache().completeSince();
    // New data follow nothing: a minute is allowed for fast clocks.
    assertThat(since).isBetween(TestTime.START.minusSeconds(60), TestTime.START);
    time.advance(Duration.ofHours(1));
    assertThat(cache().completeSince()).isEqualTo(since);
  }
}
