package dev.gatehouse.idp.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.throttle.MemoryQuotaAccount;
import dev.gatehouse.common.throttle.QuotaAccount.Admission;
import dev.gatehouse.common.throttle.QuotaAccount.Limits;
import dev.gatehouse.idp.oauth.PendingQuota.Holder;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No holder can take the share of all others. */
final class PendingQuotaTest {

  private final TestTime time = new TestTime(Instant.parse("2026-11-22T10:00:00Z"));
  private final MemoryQuotaAccount networks = new MemoryQuotaAccount(new Limits(10_000, 50_000), time);
  private final MemoryQuotaAccount clients = new MemoryQuotaAccount(new Limits(20_000, 100_000), time);
  private final PendingQuota quota = new PendingQuota(networks, clients);
  private final List<String> displaced = new ArrayList<>();
  private int keys;

  @Test
  void aNetworkHasItsShareAndHearsWhenThereIsRoomAgain() {
    assertThat(admitted("2001:db8::1", 20)).isEqualTo(10);
    assertThat(admitted("2001:db8::ffff", 1)).as("the same /64").isZero();
    assertThat(admitted("2001:db8:0:1::1", 1)).isEqualTo(1);
    time.advance(Duration.ofSeconds(30));
    assertThat(admit(Holder.network(InetAddress.ofLiteral("2001:db8::2"))))
        .isEqualTo(new Admission.Full(List.of(), Duration.ofSeconds(60)));
    time.advance(Duration.ofSeconds(60));
    assertThat(admitted("2001:db8::1", 20)).isEqualTo(10);
  }

  @Test
  void whereAllIsFullTheGreediestGivesWayToOneThatHasLess() {
    for (int i = 0; i < 5; i++) {
      assertThat(admitted("192.0.2." + i, 20)).isEqualTo(10);
    }
    assertThat(displaced).isEmpty();
    assertThat(admitted("198.51.100.1", 20)).isBetween(7, 9);
    assertThat(displaced).hasSizeBetween(7, 9).doesNotHaveDuplicates();
    assertThat(networks.total() + clients.total()).isLessThanOrEqualTo(50_000);
  }

  @Test
  void aClientThatAuthenticatesHasAShareOfItsOwn() {
    for (int i = 0; i < 20; i++) {
      admitted("192.0.2." + i, 20);
    }
    int own = 0;
    while (admit(Holder.client("demo", "app")) instanceof Admission.Admitted) {
      own++;
    }
    assertThat(own).isEqualTo(20);
    assertThat(admit(Holder.client("demo", "other"))).isInstanceOf(Admission.Admitted.class);
  }

  @Test
  void placesComeBackWhenTheyAreReleased() {
    assertThat(admitted("192.0.2.1", 20)).isEqualTo(10);
    quota.release("key1");
    quota.release("key1");
    assertThat(admitted("192.0.2.1", 20)).isEqualTo(1);
    for (int i = 1; i <= keys; i++) {
      quota.release("key" + i);
    }
    assertThat(networks.total() + clients.total()).isZero();
  }

  private int admitted(String address, int tries) {
    int admitted = 0;
    for (int i = 0; i < tries; i++) {
      if (admit(Holder.network(InetAddress.ofLiteral(address))) instanceof Admission.Admitted(List<String> gone)) {
        displaced.addAll(gone);
        admitted++;
      }
    }
    return admitted;
  }

  /** Each counts as 1,000 bytes. */
  private Admission admit(Holder holder) {
    return quota.admit("key" + ++keys, holder, 488, time.instant().plusSeconds(90));
  }
}
