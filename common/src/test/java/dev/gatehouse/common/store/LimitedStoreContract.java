package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.gatehouse.common.throttle.FairQuota;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link LimitedStore}: that of values for one use, and its limits. */
abstract class LimitedStoreContract extends SingleUseStoreContract {

  static final FairQuota.Limits LIMITS = new FairQuota.Limits(4, 6, 2);

  @Override
  abstract LimitedStore<String> store();

  private Optional<Duration> put(String key, String client, String subject) {
    return store().putWithin(key, new FairQuota.Claim(InetAddress.ofLiteral(client), 1, subject), "value of " + key, later());
  }

  private Optional<Duration> put(String key, String client) {
    return put(key, client, "");
  }

  @Test
  void aNetworkThatWantsMoreThanItsShareLosesItsOwnOldest() {
    put("other", "192.0.2.2");
    for (int i = 0; i < 10; i++) {
      assertThat(put("mine" + i, "192.0.2.1")).isEmpty();
    }
    assertThat(store().peek("mine5")).isEmpty();
    assertThat(store().peek("mine6")).contains("value of mine6");
    assertThat(store().peek("other")).contains("value of other");
  }

  @Test
  void theOneThatHasMostGivesWayWhereAllIsFull() {
    for (int i = 0; i < 4; i++) {
      put("greedy" + i, "192.0.2.1");
    }
    put("second", "192.0.2.2");
    put("third", "192.0.2.3");
    assertThat(put("fourth", "192.0.2.4")).isEmpty();
    assertThat(store().peek("greedy0")).isEmpty();
    assertThat(put("fifth", "192.0.2.5")).isEmpty();
    assertThat(store().peek("greedy1")).isEmpty();
    assertThat(store().peek("greedy2")).isPresent();
    assertThat(store().peek("second")).isPresent();
  }

  @Test
  void whoFindsNoRoomIsToldWhenThereIs() {
    for (int i = 1; i <= 6; i++) {
      put("held" + i, "192.0.2." + i);
    }
    time.advance(Duration.ofSeconds(50));
    assertThat(put("late", "192.0.2.7")).contains(Duration.ofSeconds(10));
    assertThat(store().peek("late")).isEmpty();
    assertThat(store().peek("held1")).isPresent();
    time.advance(Duration.ofSeconds(10));
    assertThat(put("late", "192.0.2.7")).isEmpty();
  }

  @Test
  void whatWasTakenOrDiscardedTakesNoPlace() {
    for (int i = 1; i <= 6; i++) {
      put("held" + i, "192.0.2." + i);
    }
    assertThat(store().take("held1")).isEqualTo(new TakeResult.First<>("value of held1"));
    assertThat(store().take("held1")).isInstanceOf(TakeResult.Replayed.class);
    assertThat(put("seventh", "192.0.2.7")).isEmpty();
    assertThat(put("eighth", "192.0.2.8")).isPresent();
    store().discard("held2");
    store().discard("held2");
    assertThat(put("eighth", "192.0.2.8")).isEmpty();
    assertThat(put("ninth", "192.0.2.9")).isPresent();
  }

  @Test
  void aKeyTakesOnePlaceAndIsReplacedUnlessItWasTaken() {
    for (int i = 0; i < 10; i++) {
      assertThat(put("key", "192.0.2.1")).isEmpty();
    }
    for (int i = 0; i < 3; i++) {
      put("another" + i, "192.0.2.1");
    }
    assertThat(store().take("key")).isEqualTo(new TakeResult.First<>("value of key"));
    assertThatIllegalStateException().isThrownBy(() -> put("key", "192.0.2.1"));
  }

  @Test
  void entriesAboutOneSubjectAreLimitedWhoeverSendsThem() {
    assertThat(put("a", "192.0.2.1", "assertion")).isEmpty();
    assertThat(put("b", "192.0.2.2", "assertion")).isEmpty();
    assertThat(put("c", "192.0.2.3", "assertion")).contains(Duration.ofMinutes(1));
    assertThat(put("c", "192.0.2.3", "another")).isEmpty();
    store().take("a");
    assertThat(put("d", "192.0.2.4", "assertion")).isEmpty();
    time.advance(Duration.ofMinutes(1));
    assertThat(put("e", "192.0.2.5", "assertion")).isEmpty();
  }

  @Test
  void whatIsNotCountedDisplacesNothing() {
    for (int i = 0; i < 4; i++) {
      put("mine" + i, "192.0.2.1");
    }
    for (int i = 0; i < 20; i++) {
      store().put("uncounted" + i, "value", later());
    }
    assertThat(store().peek("mine0")).isPresent();
    assertThat(store().take("uncounted3")).isEqualTo(new TakeResult.First<>("value"));
  }

  @Test
  void parallelCallersGetNoMoreThanThereIs() throws Exception {
    List<Boolean> stored = Race.of(50, i -> () -> put("key" + i, "192.0.2." + i).isEmpty());
    assertThat(stored).filteredOn(one -> one).hasSize(6);
  }
}
