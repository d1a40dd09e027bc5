package dev.gatehouse.common.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import java.net.InetAddress;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A scanner can neither fill the audit log nor hide others' actions. */
final class AuditRateLimitTest {

  private final TestTime time = new TestTime();
  private final AuditRateLimit rate = new AuditRateLimit(time);

  private long admitted(InetAddress client, int asked) {
    return IntStream.range(0, asked).filter(i -> rate.admits(client)).count();
  }

  @Test
  void anAddressHasABurstAndThenOneASecond() {
    InetAddress scanner = InetAddress.ofLiteral("192.0.2.1");
    assertThat(admitted(scanner, 5000)).isEqualTo(500);
    assertThat(admitted(InetAddress.ofLiteral("192.0.2.2"), 1)).isEqualTo(1);
    time.advance(Duration.ofSeconds(10));
    assertThat(admitted(scanner, 5000)).isEqualTo(10);
  }

  @Test
  void anIpv6NetworkIsOneAddress() {
    assertThat(admitted(InetAddress.ofLiteral("2001:db8::1"), 500)).isEqualTo(500);
    assertThat(admitted(InetAddress.ofLiteral("2001:db8::ffff:2"), 1)).isZero();
    assertThat(admitted(InetAddress.ofLiteral("2001:db8:0:1::1"), 1)).isEqualTo(1);
  }

  @Test
  void aProgramThatPassesOnWhatStrangersTypeIsOneClient() {
    assertThat(IntStream.range(0, 5000).filter(i -> rate.admits("demo radius:vpn")).count()).isEqualTo(500);
    assertThat(rate.admits("demo radius:wifi")).isTrue();
  }

  @Test
  void manyAddressesTogetherHaveALimitToo() {
    long all = IntStream.range(0, 100).mapToLong(i -> admitted(InetAddress.ofLiteral("192.0.2." + i), 100)).sum();
    assertThat(all).isEqualTo(2000);
  }
}
