package dev.gatehouse.gateway.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Connections before a stop: clients are told to use others while everything is still served. */
class AnnouncedEndTest {

  private static final int GOAWAY = 7;

  @Test
  void http11IsToldByTheNextResponse() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x")); TestGateway gateway = TestGateway.before(app)) {
      try (RawClient old = gateway.connect()) {
        assertThat(old.get("/public/").read().field("Connection")).isEmpty();
        gateway.announceEnd(true);
        RawClient.Response last = old.get("/public/").read();
        assertThat(last.status()).isEqualTo(200);
        assertThat(last.field("Connection")).contains("close");
        assertThat(old.isClosed()).isTrue();
      }
      try (RawClient fresh = gateway.connect()) {
        assertThat(fresh.get("/public/").read().field("Connection")).contains("close");
      }
      try (RawClient refused = gateway.connect()) {
        assertThat(refused.get("/page").read().field("Connection")).contains("close");
      }
      gateway.announceEnd(false);
      try (RawClient again = gateway.connect()) {
        assertThat(again.get("/public/").read().field("Connection")).isEmpty();
        assertThat(again.get("/public/").read().status()).isEqualTo(200);
      }
    }
  }

  /** RFC 9113, section 6.8: the first GOAWAY allows all streams, so that a request on its way is served. */
  @Test
  void http2IsToldByGoAwayAndServesWhatIsOnItsWay() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x")); TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      assertThat(client.get(1, "/public/").response(1).status()).isEqualTo(200);
      gateway.announceEnd(true);
      RawHttp2.Frame goAway = client.await(GOAWAY, 0);
      assertThat(ByteBuffer.wrap(goAway.payload()).getInt()).isEqualTo(Integer.MAX_VALUE);
      assertThat(ByteBuffer.wrap(goAway.payload()).getInt(4)).as("no error").isZero();
      assertThat(client.get(3, "/public/").response(3).status()).isEqualTo(200);
    }
  }

  @Test
  void aRunningRequestEndsBeforeTheServerDoes() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    RawApp.Behaviour slow =
        (request, in, out, socket) -> {
          asked.countDown();
          try {
            answer.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          out.write(RawApp.ok("late").getBytes(US_ASCII));
          out.flush();
        };
    try (RawApp app = new RawApp(slow);
        TestGateway gateway =
            TestGateway.impatientOf(TestGateway.realm(URI.create("http://127.0.0.1:" + app.port())), Duration.ofSeconds(10));
        RawClient client = gateway.connect()) {
      client.get("/public/");
      asked.await();
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(gateway::close);
      Thread.sleep(100);
      answer.countDown();
      RawClient.Response response = client.read();
      assertThat(response.body()).isEqualTo("late");
      assertThat(response.field("Connection")).contains("close");
      stopped.join();
    }
  }
}
