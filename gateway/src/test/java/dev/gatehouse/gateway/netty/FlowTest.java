package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.netty.RawClient.Response;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bodies of any size at the pace of the slower side, and deadlines for those who do not move (SECURITY-CASES 60). */
@Timeout(90)
class FlowTest {

  private static final int MB = 1024 * 1024;
  private static final long LARGE = 200L * MB;

  private static long directMemory() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }

  @Test
  void aLargeResponseToASlowReaderStaysInBounds() throws Exception {
    AtomicLong sent = new AtomicLong();
    RawApp.Behaviour large =
        (request, in, out, socket) -> {
          out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + LARGE + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
          byte[] part = new byte[MB];
          for (long i = 0; i < LARGE; i += part.length) {
            out.write(part);
            sent.addAndGet(part.length);
          }
        };
    try (RawApp app = new RawApp(large);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/");
      Thread.sleep(1500);
      // What the app could get rid of is what the kernel's buffers and our own take, not the body.
      assertThat(sent.get()).isLessThan(40L * MB);
      assertThat(directMemory()).isLessThan(64L * MB);
      long read = client.socket().getInputStream().skip(1000) + drain(client, LARGE - 1000);
      assertThat(read).isGreaterThanOrEqualTo(LARGE);
      assertThat(directMemory()).isLessThan(64L * MB);
    }
  }

  private static long drain(RawClient client, long atLeast) throws IOException {
    byte[] part = new byte[MB];
    long read = 0;
    while (read < atLeast) {
      int count = client.socket().getInputStream().read(part);
      if (count < 0) {
        return read;
      }
      read += count;
    }
    return read;
  }

  @Test
  void aLargeUploadToASlowAppStaysInBounds() throws Exception {
    AtomicLong taken = new AtomicLong();
    RawApp.Behaviour slow =
        (request, in, out, socket) -> {
          try {
            Thread.sleep(1500);
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          byte[] part = new byte[MB];
          while (taken.get() < LARGE) {
            taken.addAndGet(in.read(part));
          }
          out.write(RawApp.ok("all of it").getBytes(StandardCharsets.US_ASCII));
        };
    try (RawApp app = new RawApp(slow);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      AtomicLong sent = new AtomicLong();
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      client.send("PUT /public/ HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: " + LARGE + "\r\n\r\n");
                      byte[] part = new byte[MB];
                      for (long i = 0; i < LARGE; i += part.length) {
                        client.send(part);
                        sent.addAndGet(part.length);
                      }
                    } catch (IOException e) {
                      return; // the assertions below see how far it came
                    }
                  });
      Thread.sleep(1000);
      assertThat(sent.get()).isLessThan(40L * MB);
      assertThat(directMemory()).isLessThan(64L * MB);
      assertThat(client.read().body()).isEqualTo("all of it");
      sender.join();
      assertThat(sent.get()).isEqualTo(LARGE);
      assertThat(taken.get()).isEqualTo(LARGE);
      assertThat(client.get("/public/").socket().isConnected()).isTrue();
    }
  }

  @Test
  void slowHeadsAreAnsweredAndClosed() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      client.send("GET /public/ HTTP/1.1\r\nHost: app.loc");
      Response response = client.read();
      assertThat(response.status()).isEqualTo(408);
      assertThat(client.isClosed()).isTrue();
    }
  }

  /** Sends the beginning, and then a byte now and then until it is cut off. */
  private static Thread drip(RawClient client, String beginning) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                client.send(beginning);
                while (true) {
                  client.send("a");
                  Thread.sleep(50);
                }
              } catch (IOException | InterruptedException e) {
                return; // cut off
              }
            });
  }

  @Test
  void aHeadThatComesInDropsIsSlowToo() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      long begin = System.nanoTime();
      Thread dripping = drip(client, "GET /public/ HTTP/1.1\r\nX: ");
      assertThat(client.read().status()).isEqualTo(408);
      assertThat(System.nanoTime() - begin).isLessThan(5_000_000_000L);
      client.close();
      dripping.join();
    }
  }

  @Test
  void slowBodiesAreAnsweredAndClosed() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      client.send("POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 10\r\n\r\nhalf");
      assertThat(client.read().status()).isEqualTo(408);
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void aBodyThatComesInDropsIsSlowToo() throws Exception {
    try (RawApp app = new RawApp((request, in, out, socket) -> RawApp.readBody(request, in));
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      long begin = System.nanoTime();
      Thread dripping = drip(client, "POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 1000\r\n\r\n");
      assertThat(client.read().status()).isEqualTo(408);
      assertThat(System.nanoTime() - begin).isLessThan(10_000_000_000L);
      client.close();
      dripping.join();
    }
  }

  @Test
  void slowReadersAreCutOff() throws Exception {
    RawApp.Behaviour endless =
        (request, in, out, socket) -> {
          out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          while (true) {
            out.write(new byte[MB]);
          }
        };
    try (RawApp app = new RawApp(endless);
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      client.get("/public/");
      Thread.sleep(2500);
      assertThat(gateway.meters().get("gatehouse.gateway.connections").gauge().value()).isZero();
    }
  }

  @Test
  void idleConnectionsAreClosed() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().status()).isEqualTo(200);
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void aClientThatLeavesTakesItsRequestToTheAppWithIt() throws Exception {
    AtomicLong ended = new AtomicLong(-2);
    RawApp.Behaviour waiting = (request, in, out, socket) -> ended.set(in.read());
    try (RawApp app = new RawApp(waiting);
        TestGateway gateway = TestGateway.before(app)) {
      RawClient client = gateway.connect();
      client.get("/public/");
      while (app.received().isEmpty()) {
        Thread.sleep(10);
      }
      client.close();
      for (int i = 0; i < 200 && ended.get() == -2; i++) {
        Thread.sleep(10);
      }
      assertThat(ended.get()).isEqualTo(-1);
    }
  }

  @Test
  void stoppingWaitsForWhatRunsAndTakesNothingNew() throws Exception {
    RawApp.Behaviour leisurely =
        (request, in, out, socket) -> {
          try {
            Thread.sleep(300);
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          out.write(RawApp.ok("done").getBytes(StandardCharsets.US_ASCII));
        };
    try (RawApp app = new RawApp(leisurely);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect();
        RawClient idle = gateway.connect()) {
      client.get("/public/");
      while (app.received().isEmpty()) {
        Thread.sleep(10);
      }
      Thread stopping = Thread.ofVirtual().start(gateway.server()::stop);
      Response response = client.read();
      assertThat(response.body()).isEqualTo("done");
      assertThat(response.field("Connection")).contains("close");
      assertThat(idle.isClosed()).isTrue();
      stopping.join();
      assertThat(gateway.server().isRunning()).isFalse();
      assertThat(gateway.server().ports()).isEmpty();
    }
  }

  @Test
  void aChangeOfRoutesCountsAtTheNextRequest() throws IOException {
    try (RawApp first = RawApp.answering(RawApp.ok("first"));
        RawApp second = RawApp.answering(RawApp.ok("second"));
        TestGateway gateway = TestGateway.before(first);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().body()).isEqualTo("first");
      gateway.realms().set(TestGateway.realm(java.net.URI.create("http://127.0.0.1:" + second.port() + "/base/")));
      assertThat(client.get("/public/").read().body()).isEqualTo("second");
      assertThat(second.only().requestLine()).isEqualTo("GET /base/public/ HTTP/1.1");
      gateway.realms().set();
      assertThat(client.get("/public/").read().status()).isEqualTo(421);
    }
  }
}
