package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.realm.CacheConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 60: who is slow on purpose is cut in each phase; who only waits for a live stream is not. */
@Timeout(60)
class SlowClientsTest {

  private static void dribble(RawClient client, String bytes) throws InterruptedException {
    try {
      for (char c : bytes.toCharArray()) {
        client.send(String.valueOf(c));
        Thread.sleep(100);
      }
    } catch (IOException e) {
      return; // cut, as it should be
    }
  }

  @Test
  void aHeadInDropsHasATotalDeadline() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      long begin = System.nanoTime();
      Thread drops = Thread.ofVirtual().start(() -> {
        try {
          dribble(client, "GET /public/ HTTP/1.1\r\nHost: app.localhost\r\nX-Slow: " + "x".repeat(200));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      assertThat(client.read().status()).isEqualTo(408);
      assertThat(client.isClosed()).isTrue();
      // Every drop is fresh news; the deadline is the head's, not the drop's.
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
      drops.interrupt();
      assertThat(app.received()).isEmpty();
    }
  }

  /** Old clients send one behind a body (RFC 9112, section 2.2): that is no request that does not come to its end. */
  @Test
  void anEmptyLineBehindABodyLeavesTheConnectionIdle() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      client.send("POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 2\r\n\r\nab\r");
      assertThat(client.read().body()).isEqualTo("ok");
      client.send("\n");
      // Longer than a head may take; then the next request, and at last the silent end of an idle connection.
      Thread.sleep(1200);
      assertThat(client.get("/public/").read().body()).isEqualTo("ok");
      client.send("\r\n");
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void aBodyInDropsRunsOutOfTime() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      client.send("POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 1000\r\n\r\n");
      Thread drops = Thread.ofVirtual().start(() -> {
        try {
          dribble(client, "x".repeat(200));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      assertThat(client.read().status()).isEqualTo(408);
      assertThat(client.isClosed()).isTrue();
      drops.interrupt();
    }
  }

  /**
   * An app that sends more than anybody takes.
   *
   * @param fields of its head
   * @param isFree set as soon as it cannot go on
   */
  private static RawApp.Behaviour endless(String fields, AtomicBoolean isFree) {
    return (request, in, out, socket) -> {
      out.write(("HTTP/1.1 200 OK\r\n" + fields + "\r\n").getBytes(StandardCharsets.US_ASCII));
      byte[] part = new byte[65536];
      try {
        for (int i = 0; i < 10_000; i++) {
          out.write(part);
        }
      } catch (IOException e) {
        isFree.set(true);
        throw e;
      }
    };
  }

  @Test
  void aResponseThatIsTakenInDropsIsCutAndTheAppLetGo() throws Exception {
    AtomicBoolean appIsFree = new AtomicBoolean();
    RawApp.Behaviour endless = endless("Content-Length: 1000000000\r\n", appIsFree);
    try (RawApp app = new RawApp(endless);
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      client.socket().setReceiveBufferSize(4096);
      client.get("/public/");
      for (int i = 0; i < 200 && !appIsFree.get(); i++) {
        // A byte now and then buys no time.
        client.socket().getInputStream().read();
        Thread.sleep(50);
      }
      assertThat(appIsFree).isTrue();
    }
  }

  /** For HTTP/1.0 the end of the connection is the end of the page: who is cut off sees a reset. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anOldClientThatIsCutOffDoesNotTakeWhatItHasForThePage(boolean forMemory) throws Exception {
    AtomicBoolean appIsFree = new AtomicBoolean();
    RawApp.Behaviour endless = endless("", appIsFree);
    try (RawApp app = new RawApp(endless);
        TestGateway gateway =
            TestGateway.before(app.port(), limits -> forMemory ? limits : TestGateway.impatient(limits));
        RawClient client = gateway.connect()) {
      client.socket().setReceiveBufferSize(4096);
      client.send("GET /public/ HTTP/1.0\r\nHost: app.localhost\r\n\r\n");
      if (forMemory) {
        Eventually.holds(() -> gateway.held() > 20_000);
        gateway.usedBuffers(TestGateway.MAX_BUFFERS);
      }
      Eventually.holds(appIsFree::get);
      gateway.usedBuffers(0);
      assertThatThrownBy(client::rest).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void eventsArriveAtOnceAndAStreamThatSendsKeepAlivesOutlivesEveryLimit() throws Exception {
    CountDownLatch headSeen = new CountDownLatch(1);
    CountDownLatch eventSeen = new CountDownLatch(1);
    RawApp.Behaviour events =
        (request, in, out, socket) -> {
          out.write(
              "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nTransfer-Encoding: chunked\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
          out.flush();
          await(headSeen);
          for (int i = 0; i <= 20; i++) {
            String event = i == 20 ? "data: " + i + "\n\n" : ": keep-alive\n\n";
            out.write((Integer.toHexString(event.length()) + "\r\n" + event + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
            await(eventSeen);
            pause(150);
          }
          out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        };
    // 600 ms for a response to go on, two seconds between requests: the stream lasts longer than both.
    try (RawApp app = new RawApp(events);
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      long begin = System.nanoTime();
      client.get("/public/", "Accept: text/event-stream");
      String head = client.until("\r\n\r\n");
      assertThat(head).contains("text/event-stream");
      // The app sends the first event when the client has the head, and the next when it has the first.
      headSeen.countDown();
      client.until(": keep-alive\n\n");
      eventSeen.countDown();
      assertThat(client.until("0\r\n\r\n")).contains("data: 20");
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(3));
      // The connection is as good as before.
      client.get("/public/").until("text/event-stream");
    }
  }

  @Test
  void aStreamThatSaysNothingIsCut() throws Exception {
    RawApp.Behaviour silent =
        (request, in, out, socket) -> {
          out.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          out.flush();
          pause(10_000);
        };
    try (RawApp app = new RawApp(silent);
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      client.get("/public/").until("\r\n\r\n");
      assertThat(client.isClosed()).isTrue();
    }
  }

  /** Whoever asks and asks and reads nothing gets no more answers than fit between us. */
  @Test
  void requestsThatAreSentAheadWaitUntilTheAnswersBeforeThemAreTaken() throws Exception {
    int requests = 2000;
    String page = "x".repeat(60_000);
    try (RawApp app = RawApp.answering(RawApp.ok(page));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      Thread asking = Thread.ofVirtual().start(() -> {
        try {
          for (int i = 0; i < requests; i++) {
            client.get("/public/" + i);
          }
        } catch (IOException e) {
          return; // the answers below are missing then
        }
      });
      int seen = -1;
      for (int i = 0; i < 50 && seen != app.received().size(); i++) {
        seen = app.received().size();
        Thread.sleep(300);
      }
      assertThat(app.received()).hasSizeLessThan(requests / 2);
      for (int i = 0; i < requests; i++) {
        assertThat(client.read().body()).hasSameSizeAs(page);
      }
      asking.join();
      assertThat(app.received()).hasSize(requests);
    }
  }

  private static CacheConfig keepingLarge(CacheConfig c) {
    return new CacheConfig(
        c.defaultFreshness(), c.maxAge(), 4 << 20, c.staleWhileRevalidate(), c.staleIfError(), c.sharing(), c.request(),
        c.tags(), c.compress());
  }

  /** What is kept is written at once, whatever its size: a slow line gets all of it, as long as it goes on. */
  @Test
  void aSlowLineGetsAllOfALargeKeptPage() throws Exception {
    int size = 3 << 20;
    String kept =
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: " + size + "\r\n\r\n" + "k".repeat(size);
    try (RawApp app = RawApp.answering(kept);
        TestGateway gateway =
            TestGateway.impatientOf(CachingGateway.realm(app, SlowClientsTest::keepingLarge), Duration.ofSeconds(2))) {
      try (RawClient first = gateway.connect()) {
        assertThat(first.get("/public/large").read().complete()).isTrue();
      }
      for (String last : List.of("X-Last: no", "Connection: close")) {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 * 1024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
        try (RawClient slow = new RawClient(socket)) {
          // Several, so that more waits than the kernel's buffers take.
          for (String line : List.of("X-Last: no", "X-Last: no", "X-Last: no", last)) {
            slow.get("/public/large", line);
          }
          byte[] part = new byte[64 * 1024];
          for (int page = 0; page < 4; page++) {
            assertThat(slow.until("\r\n\r\n")).contains("hit;");
            for (int read = 0; read < size; ) {
              int count = slow.read(part, Math.min(part.length, size - read));
              assertThat(count).as("cut in page " + page + " after " + read).isPositive();
              read += count;
              Thread.sleep(20);
            }
          }
        }
      }
      assertThat(app.received()).hasSize(1);
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(20, TimeUnit.SECONDS)) {
        throw new IOException("the client has not got what was sent");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
