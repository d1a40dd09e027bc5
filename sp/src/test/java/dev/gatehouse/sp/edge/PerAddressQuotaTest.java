package dev.gatehouse.sp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PerAddressQuotaTest {

  private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
  private static final InetAddress TWO = InetAddress.ofLiteral("192.0.2.2");
  private static final InetAddress SIX = InetAddress.ofLiteral("2001:db8::1");
  private static final InetAddress SAME_64 = InetAddress.ofLiteral("2001:db8::ffff:1");

  private final TestTime time = new TestTime();
  private final PerAddressQuota bound = new PerAddressQuota(2, 3, Duration.ofHours(1), time);

  @Test
  void anAddressHasItsShareAndAllTogetherTheirs() {
    assertThat(bound.enter(ONE)).isTrue();
    assertThat(bound.enter(ONE)).isTrue();
    assertThat(bound.enter(ONE)).isFalse();
    assertThat(bound.enter(TWO)).isTrue();
    assertThat(bound.enter(SIX)).as("all places are taken").isFalse();
  }

  @Test
  void aPlaceIsFreeAgainWhenGivenBackOrAfterItsLife() {
    bound.enter(ONE);
    bound.enter(ONE);
    bound.leave(ONE);
    assertThat(bound.enter(ONE)).isTrue();
    assertThat(bound.enter(TWO)).isTrue();

    time.advance(Duration.ofHours(1));

    assertThat(bound.enter(SIX)).isTrue();
    assertThat(bound.enter(ONE)).isTrue();
    assertThat(bound.enter(ONE)).isTrue();
  }

  @Test
  void givingBackWhatWasNeverTakenMakesNoRoom() {
    bound.leave(TWO);
    bound.enter(ONE);
    bound.enter(ONE);
    bound.leave(TWO);
    bound.enter(TWO);
    assertThat(bound.enter(TWO)).isFalse();
  }

  @Test
  void aNetworkOfIpv6IsOneAddress() {
    bound.enter(SIX);
    bound.enter(SAME_64);
    assertThat(bound.enter(SIX)).isFalse();
  }
}
