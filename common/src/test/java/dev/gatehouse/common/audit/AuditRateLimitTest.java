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

  private long admitted(String realm, String name, int asked) {
    return IntStream.range(0, asked).filter(i -> rate.admits(realm, name)).count();
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

  /** Clocks of machines go on by less than a millisecond between two refusals of a flood. */
  @Test
  void manyRefusalsInAMillisecondLoseNoTime() {
    InetAddress scanner = InetAddress.ofLiteral("192.0.2.1");
    assertThat(admitted(scanner, 500)).isEqualTo(500);
    long admitted = 0;
    for (int i = 0; i < 25_000; i++) {
      time.advance(Duration.ofNanos(100_000));
      admitted += admitted(scanner, 1);
    }
    assertThat(admitted).as("in two seconds and a half").isEqualTo(2);
  }

  @Test
  void aProgramThatPassesOnWhatStrangersTypeIsOneClient() {
    assertThat(admitted("demo", "radius:vpn", 5000)).isEqualTo(500);
    assertThat(admitted("demo", "radius:wifi", 1)).isEqualTo(1);
    assertThat(admitted("other", "radius:vpn", 1)).as("a realm's clients are its own").isEqualTo(1);
    time.advance(Duration.ofSeconds(10));
    assertThat(admitted("demo", "radius:vpn", 5000)).isEqualTo(10);
  }

  @Test
  void strangersLeaveTheShareOfKnownProgramsAndTheyThatOfStrangers() {
    IntStream.range(0, 100).forEach(i -> admitted(InetAddress.ofLiteral("192.0.2." + i), 100));
    assertThat(admitted(InetAddress.ofLiteral("192.0.2.200"), 1)).isZero();
    long all = IntStream.range(0, 100).mapToLong(i -> admitted("demo", "radius:vpn" + i, 100)).sum();
    assertThat(all).isEqualTo(2000);
    time.advance(Duration.ofSeconds(1));
    assertThat(admitted(InetAddress.ofLiteral("192.0.2.200"), 20)).isEqualTo(10);
    assertThat(admitted("demo", "radius:other", 20)).isEqualTo(10);
  }

  @Test
  void manyAddressesTogetherHaveALimitToo() {
    long all = IntStream.range(0, 100).mapToLong(i -> admitted(InetAddress.ofLiteral("192.0.2." + i), 100)).sum();
    assertThat(all).isEqualTo(2000);
  }
}
