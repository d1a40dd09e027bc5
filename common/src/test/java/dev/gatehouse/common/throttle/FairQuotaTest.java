package dev.gatehouse.common.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.throttle.FairQuota.Admission;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairQuotaTest {

  private final TestTime time = new TestTime();
  private final FairQuota bound = new FairQuota(new FairQuota.Limits(4, 6), time);

  private Admission enter(String key, String client) throws Exception {
    return enter(key, client, Duration.ofHours(1));
  }

  private Admission enter(String key, String client, Duration life) throws Exception {
    return bound.enter(key, new FairQuota.Claim(InetAddress.getByName(client), 1), time.instant().plus(life));
  }

  private static Admission admitted(String... leaving) {
    return new Admission.Admitted(List.of(leaving));
  }

  @Test
  void aNetworkThatWantsMoreThanItsShareLosesItsOwnOldest() throws Exception {
    assertThat(enter("other", "192.0.2.2")).isEqualTo(admitted());
    for (int i = 0; i < 4; i++) {
      assertThat(enter("mine" + i, "192.0.2.1")).isEqualTo(admitted());
    }
    for (int i = 4; i < 5000; i++) {
      assertThat(enter("mine" + i, "192.0.2.1")).isEqualTo(admitted("mine" + (i - 4)));
    }
    assertThat(bound.total()).isEqualTo(5);
  }

  @Test
  void theOneThatHasMostGivesWayWhereAllIsFull() throws Exception {
    for (int i = 0; i < 4; i++) {
      enter("greedy" + i, "192.0.2.1");
    }
    enter("second", "192.0.2.2");
    enter("third", "192.0.2.3");
    assertThat(enter("fourth", "192.0.2.4")).isEqualTo(admitted("greedy0"));
    assertThat(enter("fifth", "192.0.2.5")).isEqualTo(admitted("greedy1"));
    assertThat(bound.total()).isEqualTo(6);
  }

  @Test
  void anotherOfItsOwnTakesThePlaceOfItsOwnWhereAllIsFull() throws Exception {
    for (int i = 1; i <= 6; i++) {
      enter("held" + i, "192.0.2." + i);
    }
    assertThat(enter("one more", "192.0.2.3")).isEqualTo(admitted("held3"));
    assertThat(enter("another", "192.0.2.7")).isEqualTo(new Admission.Full(List.of(), Duration.ofHours(1)));
    bound.leave("held1");
    assertThat(enter("a second", "192.0.2.3")).isEqualTo(admitted());
    assertThat(enter("a third", "192.0.2.3")).isEqualTo(admitted("one more"));
    assertThat(enter("another", "192.0.2.7")).isEqualTo(admitted("a second"));
  }

  @Test
  void aNewcomerIsToldWhenThereIsRoom() throws Exception {
    enter("first", "192.0.2.1", Duration.ofMinutes(10));
    for (int i = 2; i <= 6; i++) {
      enter("held" + i, "192.0.2." + i);
    }
    time.advance(Duration.ofMinutes(9));
    assertThat(enter("late", "192.0.2.7")).isEqualTo(new Admission.Full(List.of(), Duration.ofMinutes(1)));
    time.advance(Duration.ofMinutes(1));
    assertThat(enter("late", "192.0.2.7")).isEqualTo(admitted("first"));
  }

  @Test
  void theSameKeyTakesOnePlaceAndWhatLeftTakesNone() throws Exception {
    enter("key", "192.0.2.1");
    assertThat(enter("key", "192.0.2.1")).isEqualTo(admitted());
    assertThat(bound.total()).isEqualTo(1);
    bound.leave("key");
    bound.leave("key");
    assertThat(bound.total()).isZero();
  }

  @Test
  void addressesOfOneIpv6NetworkShareTheirPlaces() throws Exception {
    for (int i = 0; i < 100; i++) {
      enter("v6-" + i, "2001:db8:0:1::" + Integer.toHexString(i));
    }
    assertThat(bound.total()).isEqualTo(4);
    enter("next", "2001:db8:0:2::1");
    assertThat(bound.total()).isEqualTo(5);
  }
}
