package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.node.NodeLimits.Apps;
import dev.gatehouse.gateway.netty.RawClient.Response;
import dev.gatehouse.gateway.upstream.Demand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections to apps are bounded; requests beyond wait in a bounded queue, and no client takes the places of all others. */
@Timeout(60)
class AppPlacesTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  /** Longer than anything takes here that is not held up. */
  private static final Duration SOON = Duration.ofSeconds(5);

  /** Answers {@code hang} only when it is told, sends 40 MB to {@code large}, and says {@code ok} to the rest. */
  private static final class SlowApp implements AutoCloseable {
    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final RawApp app;

    SlowApp() throws IOException {
      this.app = new RawApp((request, in, out, socket) -> {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        try {
          if (request.requestLine().contains("hang")) {
            await(answer);
          }
          boolean large = request.requestLine().contains("large");
          String head = "HTTP/1.1 200 OK\r\nContent-Length: " + (large ? 40 << 20 : 2) + "\r\n\r\n";
          out.write((large ? head : head + "ok").getBytes(java.nio.charset.StandardCharsets.US_ASCII));
          for (int part = 0; large && part < 40; part++) {
            out.write(new byte[1 << 20]);
          }
        } finally {
          running.decrementAndGet();
        }
      });
    }

    TestGateway gateway(Apps bounds) {
      return TestGateway.before(app.port(), limits -> TestGateway.with(limits, bounds));
    }

    @Override
    public void close() throws IOException {
      answer.countDown();
      app.close();
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void awaitWaiting(TestGateway gateway, SlowApp app, int requests) {
    String server = "127.0.0.1:" + app.app.port();
    Eventually.holds(() -> gateway.ofServer("gatehouse.gateway.server.requests.waiting", server) == requests);
  }

  @Test
  void requestsBeyondWaitForAPlaceAndAreAnswered() throws Exception {
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(2, 2, 10, LONG));
        RawClient first = gateway.connect();
        RawClient second = gateway.connect();
        RawClient third = gateway.connect()) {
      first.get("/public/hang");
      second.get("/public/hang");
      Eventually.holds(() -> app.running.get() == 2);
      third.get("/public/hang");
      awaitWaiting(gateway, app, 1);
      assertThat(app.running.get()).isEqualTo(2);
      app.answer.countDown();
      for (RawClient client : List.of(first, second, third)) {
        assertThat(client.read().status()).isEqualTo(200);
      }
      assertThat(app.most.get()).isEqualTo(2);
    }
  }

  @Test
  void aFullQueueIsSaidAtOnceWithRetryAfter() throws Exception {
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(1, 1, 1, LONG));
        RawClient first = gateway.connect();
        RawClient second = gateway.connect();
        RawClient third = gateway.connect()) {
      first.get("/public/hang");
      Eventually.holds(() -> app.running.get() == 1);
      second.get("/public/hang");
      awaitWaiting(gateway, app, 1);
      Response refused = third.get("/public/").read();
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.field("Retry-After")).contains("5");
      assertThat(refused.body()).contains("overloaded");
      app.answer.countDown();
      assertThat(second.read().status()).isEqualTo(200);
      // The server is not to blame: it still gets requests.
      assertThat(third.get("/public/").read().status()).isEqualTo(200);
    }
  }

  @Test
  void nobodyWaitsLongerThanQueueTime() throws Exception {
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(1, 1, 5, Duration.ofMillis(300)));
        RawClient first = gateway.connect();
        RawClient second = gateway.connect()) {
      first.get("/public/hang");
      Eventually.holds(() -> app.running.get() == 1);
      Response late = second.get("/public/").read();
      assertThat(late.status()).isEqualTo(503);
      assertThat(late.field("Retry-After")).contains("5");
    }
  }

  @Test
  void whoGivesUpLeavesTheQueue() throws Exception {
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(1, 1, 1, LONG));
        RawClient first = gateway.connect();
        RawClient third = gateway.connect()) {
      first.get("/public/hang");
      Eventually.holds(() -> app.running.get() == 1);
      try (RawClient second = gateway.connect()) {
        second.get("/public/hang");
        awaitWaiting(gateway, app, 1);
      }
      awaitWaiting(gateway, app, 0);
      third.get("/public/");
      awaitWaiting(gateway, app, 1);
      app.answer.countDown();
      assertThat(third.read().status()).isEqualTo(200);
    }
  }

  @Test
  void anUnusedConnectionOfAnotherLoopGivesItsPlace() throws Exception {
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(1, 1, 10, LONG))) {
      for (int i = 0; i < 8; i++) {
        try (RawClient client = gateway.connect()) {
          assertThat(client.get("/public/").read().status()).isEqualTo(200);
        }
      }
    }
  }

  @Test
  void aClientWithManyStreamsLeavesPlacesToOthers() throws Exception {
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(16, 16, 200, LONG));
        RawHttp2 greedy = RawHttp2.connect(gateway.port());
        RawClient other = gateway.connect()) {
      for (int i = 0; i < 40; i++) {
        greedy.get(2 * i + 1, "/public/hang");
      }
      Eventually.holds(() -> app.running.get() == 12);
      assertThat(other.get("/public/").read().status()).isEqualTo(200);
      assertThat(app.most.get()).isLessThanOrEqualTo(13);
    }
  }

  @Test
  void anAddressWithManyConnectionsLeavesPlacesToOthers() throws Exception {
    List<RawClient> greedy = new ArrayList<>();
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(16, 16, 40, LONG));
        RawClient other = gateway.connect()) {
      for (int i = 0; i <= Demand.FEW_CONNECTIONS; i++) {
        greedy.add(new RawClient(new Socket("127.0.0.1", gateway.port(), InetAddress.ofLiteral("127.0.0.2"), 0)));
      }
      // An answer says that the connection is counted.
      greedy.getLast().get("/public/").read();
      for (RawClient client : greedy) {
        client.get("/public/hang");
      }
      Eventually.holds(() -> app.running.get() == 14);
      assertThat(other.get("/public/").read().status()).isEqualTo(200);
      assertThat(app.most.get()).isLessThanOrEqualTo(15);
    } finally {
      for (RawClient client : greedy) {
        client.close();
      }
    }
  }

  @Test
  void aClientThatTakesNothingLosesItsPlaceWhereAnotherWaits() throws Exception {
    List<Socket> stalled = new ArrayList<>();
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(2, 2, 10, LONG));
        RawClient other = gateway.connect()) {
      for (int i = 0; i < 2; i++) {
        RawClient client = gateway.connect();
        stalled.add(client.get("/public/large").socket());
      }
      Eventually.holds(() -> app.running.get() == 2);
      Thread.sleep(1000);
      assertThat(other.get("/public/").read().status()).isEqualTo(200);
    } finally {
      for (Socket socket : stalled) {
        socket.close();
      }
    }
  }

  @Test
  void streamsOfAClientWithManyThatFindNoPlaceMayBeRepeated() throws Exception {
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(16, 16, 20, LONG));
        RawHttp2 greedy = RawHttp2.connect(gateway.port())) {
      for (int i = 0; i < 40; i++) {
        greedy.get(2 * i + 1, "/public/hang");
      }
      // 12 have a place and 10 wait for one.
      assertThat(greedy.response(79).reset()).contains(RawHttp2.REFUSED_STREAM);
      app.answer.countDown();
      assertThat(greedy.response(1).status()).isEqualTo(200);
      assertThat(greedy.get(81, "/public/").response(81).status()).isEqualTo(200);
    }
  }

  private static void get(RawHttp2 client, int first, int count, String path) throws IOException {
    for (int i = 0; i < count; i++) {
      client.get(first + 2 * i, path);
    }
  }

  private static List<Integer> statuses(RawHttp2 client, int first, int count) throws IOException {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      statuses.add(client.response(first + 2 * i).status());
    }
    return statuses;
  }

  /** Requests of a client that has many go on over the connections that become free, as far as those are for it. */
  @Test
  void allStreamsOfAClientWithManyAreAnswered() throws Exception {
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(20, 20, 200, SOON));
        RawHttp2 greedy = RawHttp2.connect(gateway.port())) {
      get(greedy, 1, 100, "/public/");
      assertThat(statuses(greedy, 1, 100)).hasSize(100).containsOnly(200);
      assertThat(app.most.get()).isLessThanOrEqualTo(15);
    }
  }

  /** Bounds over all servers hold as those of one do. */
  @Test
  void allStreamsAreAnsweredWhereAllConnectionsAreFew() throws Exception {
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(4, 20, 200, SOON));
        RawHttp2 greedy = RawHttp2.connect(gateway.port())) {
      get(greedy, 1, 100, "/public/");
      assertThat(statuses(greedy, 1, 100)).hasSize(100).containsOnly(200);
      assertThat(app.most.get()).isLessThanOrEqualTo(3);
    }
  }

  /** While others have all places nothing is for it; what they no longer use is closed until it has its share. */
  @Test
  void aClientWithManyGoesOnWhenOthersNoLongerUseTheirConnections() throws Exception {
    List<RawClient> others = new ArrayList<>();
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(8, 8, 200, LONG));
        RawHttp2 greedy = RawHttp2.connect(gateway.port())) {
      for (int i = 0; i < 8; i++) {
        others.add(gateway.connect().get("/public/hang"));
      }
      Eventually.holds(() -> app.running.get() == 8);
      get(greedy, 1, 100, "/public/");
      Thread.sleep(100);
      app.answer.countDown();
      assertThat(statuses(greedy, 1, 100)).hasSize(100).containsOnly(200);
      for (RawClient other : others) {
        assertThat(other.read().status()).isEqualTo(200);
      }
    } finally {
      for (RawClient other : others) {
        other.close();
      }
    }
  }

  /** Connections that lie idle in any loop, more of them than a client with many may have, hold none of its requests up. */
  @Test
  void idleConnectionsHoldNoClientWithManyUp() throws Exception {
    List<RawClient> others = new ArrayList<>();
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(8, 8, 200, SOON))) {
      for (int i = 0; i < 8; i++) {
        others.add(gateway.connect().get("/public/hang"));
      }
      Eventually.holds(() -> app.running.get() == 8);
      app.answer.countDown();
      for (RawClient other : others) {
        assertThat(other.read().status()).isEqualTo(200);
      }
      // One after the other on each loop.
      for (int i = 0; i < 3; i++) {
        try (RawHttp2 greedy = RawHttp2.connect(gateway.port())) {
          get(greedy, 1, 100, "/public/");
          assertThat(statuses(greedy, 1, 100)).hasSize(100).containsOnly(200);
        }
      }
    } finally {
      for (RawClient other : others) {
        other.close();
      }
    }
  }

  /** No loop keeps all connections to itself while requests of another one wait. */
  @Test
  void loopsShareThePlaces() throws Exception {
    List<RawHttp2> clients = new ArrayList<>();
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(8, 8, 800, SOON))) {
      for (int i = 0; i < 4; i++) {
        clients.add(RawHttp2.connect(gateway.port()));
      }
      for (int turn = 0; turn < 5; turn++) {
        for (RawHttp2 client : clients) {
          get(client, 1 + 200 * turn, 100, "/public/");
        }
        for (RawHttp2 client : clients) {
          assertThat(statuses(client, 1 + 200 * turn, 100)).hasSize(100).containsOnly(200);
        }
      }
      assertThat(app.most.get()).isLessThanOrEqualTo(6);
    } finally {
      for (RawHttp2 client : clients) {
        client.close();
      }
    }
  }

  /** A loop whose own connections all work asks the others for theirs. */
  @Test
  void aStalledClientOfAnotherLoopLosesItsPlace() throws Exception {
    int loops = Runtime.getRuntime().availableProcessors();
    List<RawClient> unused = new ArrayList<>();
    try (SlowApp app = new SlowApp();
        TestGateway gateway = app.gateway(new Apps(1, 1, 10, LONG));
        RawClient stalled = gateway.connect()) {
      stalled.get("/public/large");
      Eventually.holds(() -> app.running.get() == 1);
      Thread.sleep(1000);
      // Loops take connections by turns: none of these is on that of the stalled one.
      for (int i = 1; i < loops; i++) {
        unused.add(gateway.connect());
      }
      try (RawClient other = unused.isEmpty() ? gateway.connect() : unused.removeLast()) {
        assertThat(other.get("/public/").read().status()).isEqualTo(200);
      }
    } finally {
      for (RawClient client : unused) {
        client.close();
      }
    }
  }
}
