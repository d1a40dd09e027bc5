package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

  @Test
  void aResponseThatIsTakenInDropsIsCutAndTheAppLetGo() throws Exception {
    AtomicBoolean appIsFree = new AtomicBoolean();
    RawApp.Behaviour endless =
        (request, in, out, socket) -> {
          out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          byte[] part = new byte[65536];
          try {
            for (int i = 0; i < 10_000; i++) {
              out.write(part);
            }
          } catch (IOException e) {
            appIsFree.set(true);
            throw e;
          }
        };
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

  @Test
  void eventsArriveAtOnceAndAStreamThatSendsKeepAlivesOutlivesEveryLimit() throws Exception {
    RawApp.Behaviour events =
        (request, in, out, socket) -> {
          out.write(
              "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nTransfer-Encoding: chunked\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
          out.flush();
          for (int i = 0; i < 8; i++) {
            pause(400);
            String event = i == 7 ? "data: " + i + "\n\n" : ": keep-alive\n\n";
            out.write((Integer.toHexString(event.length()) + "\r\n" + event + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
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
      // The head comes before the first event, the event as soon as the app has sent it.
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(380));
      client.until(": keep-alive\n\n");
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(780));
      assertThat(client.until("0\r\n\r\n")).contains("data: 7");
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

  private static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
