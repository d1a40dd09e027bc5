package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.refusal.RefusalTrace;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is kept of requests that the gateway refuses. */
@Timeout(60)
class RefusalTracesTest {

  private static RefusalTrace only(TestGateway gateway, RawClient client) {
    List<RefusalTrace> found = gateway.refusals().find(client.requestId());
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  @Test
  void aDenialHasThePersonTheRolesAndTheRule() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String session = gateway.sessions().open("bob", List.of("clerk"), List.of());
      client.get("/manager/accounts?token=hunter2", "Cookie: gh_app=" + session).read();
      RefusalTrace trace = only(gateway, client);
      assertThat(trace.realm()).isEqualTo("demo");
      assertThat(trace.asked().path()).isEqualTo("/manager/accounts");
      assertThat(trace.asked().route()).isEqualTo("manager");
      assertThat(trace.refused().reason()).isEqualTo("ROLE_MISSING");
      RefusalTrace.Subject subject = trace.subject().orElseThrow();
      assertThat(subject.user()).isEqualTo("bob");
      assertThat(subject.roles()).containsExactly("clerk");
      assertThat(trace.decision().map(RefusalTrace.Decided::rule)).hasValue("role manager");
      assertThat(trace.toString()).doesNotContain("hunter2", session);
    }
  }

  @Test
  void aFailureOfTheAppHasItsServerAndTheNamesOfTheHeaders() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String session = gateway.sessions().open("bob", List.of("clerk"), List.of());
      app.close();
      client.get("/", "Cookie: gh_app=" + session).read();
      RefusalTrace trace = only(gateway, client);
      assertThat(trace.refused().reason()).isEqualTo("UPSTREAM_UNREACHABLE");
      assertThat(trace.upstream().map(RefusalTrace.Upstream::server)).hasValue("127.0.0.1:" + app.port());
      assertThat(trace.subject().map(RefusalTrace.Subject::user)).hasValue("bob");
      assertThat(trace.decision().orElseThrow().headers()).contains("Remote-User", "X-Identity");
    }
  }

  /** A stranger may know an id, but cannot use it; a trusted proxy can, which adds a trace and hides none. */
  @Test
  void anIdOfAStrangerDoesNotCount() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/manager/;a=b/../x", "X-Request-Id: known").read();
      assertThat(gateway.refusals().find("known")).isEmpty();
      assertThat(only(gateway, client).subject()).isEqualTo(Optional.empty());
    }
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.trusting(app, new Cidr(InetAddress.ofLiteral("127.0.0.1"), 32))) {
      for (int i = 0; i < 2; i++) {
        try (RawClient client = gateway.connect()) {
          client.get("/manager/;a=b/../x", "X-Request-Id: known").read();
        }
      }
      assertThat(gateway.refusals().find("known")).hasSize(2);
    }
  }
}
