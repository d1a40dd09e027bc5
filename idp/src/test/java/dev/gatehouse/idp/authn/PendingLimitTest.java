package dev.gatehouse.idp.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Nobody takes the places of all others. */
final class PendingLimitTest {

  private final TestTime time = new TestTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final PendingLimit limit = new PendingLimit(2, 100, Duration.ofHours(1), time);
  private int keys;

  @Test
  void aHomeWithManyIpv6NetworksIsOneAddressWithSomeMore() {
    assertThat(admitted("2001:db8:1:%x::1", 256)).isEqualTo(8);
    assertThat(admitted("2001:db8:2::%x", 256)).as("a neighbour's single network").isEqualTo(2);
  }

  @Test
  void aProviderWithManyNetworksLeavesRoomForOthers() {
    assertThat(admitted("2001:db8:%x::1", 1_000)).isEqualTo(32);
    assertThat(admitted("2001:db9::%x", 10)).isEqualTo(2);
    assertThat(admitted("192.0.2.1", 10)).isEqualTo(2);
  }

  @Test
  void placesComeBackWhenTheyAreReleasedOrRunOut() {
    assertThat(admitted("2001:db8::1", 3)).isEqualTo(2);
    limit.release("key1");
    assertThat(admitted("2001:db8::1", 3)).isEqualTo(1);
    time.advance(Duration.ofMinutes(61));
    assertThat(admitted("2001:db8::1", 3)).isEqualTo(2);
  }

  private int admitted(String pattern, int tries) {
    int admitted = 0;
    for (int i = 0; i < tries; i++) {
      String address = pattern.contains("%") ? String.format(pattern, i + 16) : pattern;
      admitted += limit.admit("key" + ++keys, InetAddress.ofLiteral(address)) ? 1 : 0;
    }
    return admitted;
  }
}
