package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.AccessDenied;
import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scanner fills neither the audit log nor hides what others do. */
@Timeout(60)
class RefusalRateTest {

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
