package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.AccessDenied;
import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scanner fills neither the audit log nor hides what others do. */
@Timeout(60)
class AuditPaceTest {

  private final TestTime time = new TestTime();
  private final AuditPace pace = new AuditPace(time);

  private long admitted(InetAddress client, int asked) {
    return IntStream.range(0, asked).filter(i -> pace.admits(client)).count();
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
  void manyAddressesTogetherHaveALimitToo() {
    long all = IntStream.range(0, 100).mapToLong(i -> admitted(InetAddress.ofLiteral("192.0.2." + i), 100)).sum();
    assertThat(all).isEqualTo(2000);
  }

  @Test
  void whatIsNotWrittenIsRefusedAndCountedAllTheSameAndAPersonsDenialIsAlwaysWritten() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      for (int i = 0; i < 510; i++) {
        Response refused = client.send("GET / HTTP/1.1\r\nHost: scan" + i + ".localhost\r\n\r\n").read();
        assertThat(refused.status()).isEqualTo(421);
        assertThat(refused.body()).contains("reference");
      }
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      assertThat(client.get("/manager/", "Cookie: gh_app=" + alice).read().status()).isEqualTo(403);
      assertThat(gateway.audit().events(AccessDenied.class)).hasSize(501);
      assertThat(gateway.denials()).endsWith("ROLE_MISSING");
      assertThat(gateway.meters().counter("gatehouse.gateway.refusals.unwritten").count()).isEqualTo(10);
    }
  }
}
