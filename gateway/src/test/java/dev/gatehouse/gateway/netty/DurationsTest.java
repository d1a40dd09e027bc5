package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.realm.UpstreamConfig;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each request is counted once in the histograms of durations, however it ends. */
@Timeout(60)
class DurationsTest {

  @Test
  void requestsAreCountedByRouteAndStatus() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      for (int i = 0; i < 5; i++) {
        client.get("/public/" + i).read();
      }
      assertThat(client.get("/.gatehouse/nothing").read().status()).isGreaterThanOrEqualTo(200);
      Eventually.holds(() -> gateway.requests("public", "2xx") == 5);
      Eventually.holds(() -> gateway.requests("-", "2xx") + gateway.requests("-", "4xx") == 1);
      try (RawClient malformed = gateway.connect()) {
        malformed.send("GET /public/ HTTP/1.1\r\n\r\n").read();
      }
      Eventually.holds(() -> gateway.requests("-", "2xx") + gateway.requests("-", "4xx") == 2);
      assertThat(gateway.requests("public", "2xx")).isEqualTo(5);
    }
  }

  @Test
  void anAppThatDoesNotAnswerIsCountedAsItsRoutesFailure() throws IOException {
    int closed;
    try (RawApp app = RawApp.answering(RawApp.ok("hello"))) {
      closed = app.port();
    }
    try (TestGateway gateway = TestGateway.before(closed, limits -> limits);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().status()).isEqualTo(502);
      Eventually.holds(() -> gateway.requests("public", "5xx") == 1);
    }
  }

  @Test
  void retriesEjectionsAndHealthOfServersAreCounted() throws IOException {
    URI nobody = URI.create("http://127.0.0.1:" + FreePorts.one());
    try (RawApp app = RawApp.answering(RawApp.ok("hello"))) {
      UpstreamConfig two = UpstreamConfig.of(List.of(nobody, URI.create("http://127.0.0.1:" + app.port())));
      try (TestGateway gateway = TestGateway.before(two);
          RawClient client = gateway.connect()) {
        for (int i = 0; i < 40; i++) {
          assertThat(client.get("/public/").read().status()).isEqualTo(200);
        }
        String bad = nobody.getAuthority();
        String good = "127.0.0.1:" + app.port();
        assertThat(gateway.ofServer("gatehouse.gateway.server.retries", bad))
            .isPositive()
            .isEqualTo(gateway.ofServer("gatehouse.gateway.server.failures", bad));
        assertThat(gateway.ofServer("gatehouse.gateway.server.ejections", bad)).isPositive();
        assertThat(gateway.ofServer("gatehouse.gateway.server.up", bad)).isZero();
        assertThat(gateway.ofServer("gatehouse.gateway.server.up", good)).isEqualTo(1);
        assertThat(gateway.ofServer("gatehouse.gateway.server.retries", good)).isZero();
        assertThat(gateway.ofServer("gatehouse.gateway.server.requests", good)).isEqualTo(40);
        assertThat(gateway.ofServer("gatehouse.gateway.server.connections", good)).isEqualTo(1);
      }
    }
  }

  /** As in the access log, where it has the status 499. */
  @Test
  void aClientThatLeavesIsCounted() throws IOException {
    RawApp.Behaviour silent = (request, in, out, socket) -> in.read();
    try (RawApp app = new RawApp(silent);
        TestGateway gateway = TestGateway.before(app)) {
      try (RawClient client = gateway.connect()) {
        client.get("/public/");
        Eventually.holds(() -> !app.received().isEmpty());
      }
      Eventually.holds(() -> gateway.requests("public", "4xx") == 1);
    }
  }
}
