package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.node.NodeLimits.Apps;
import dev.gatehouse.common.realm.UpstreamConfig.Health;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.upstream.HealthCheck;
import dev.gatehouse.gateway.netty.upstream.UpstreamPools;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.AppServer.State;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What this node ends for want of memory, descriptors or places is nobody's failure, and leaves nothing behind. */
@Timeout(60)
class UpstreamEvictionTest {

  private static final String UPLOAD =
      "POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: " + (64 << 20) + "\r\n\r\n";

  /** Much waits for the app, and goes on waiting: the sockets' buffers are full. */
  private static void untilStalled(TestGateway gateway) throws InterruptedException {
    AtomicInteger times = new AtomicInteger();
    Eventually.holds(() -> (gateway.held() > 16 << 10 ? times.incrementAndGet() : times.getAndSet(0)) > 20);
  }

  /** Says that much, and reads nothing of a request's body. */
  private static RawApp deaf(String says, CountDownLatch over) throws IOException {
    return new RawApp(
        (request, in, out, socket) -> {
          out.write(says.getBytes(StandardCharsets.US_ASCII));
          out.flush();
          try {
            over.await(30, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
  }

  private static AppServer only(TestGateway gateway) {
    return gateway.upstreams().servers().iterator().next();
  }

  /** Sends until nothing more is taken. */
  private static void upload(RawClient client) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                client.send(UPLOAD);
                for (int i = 0; i < 64; i++) {
                  client.socket().getOutputStream().write(new byte[1 << 20]);
                }
              } catch (IOException e) {
                return; // refused, as it should be
              }
            });
  }

  @Test
  void anUploadThatIsEndedForWantOfMemoryIsNoFailureOfTheServer() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (RawApp app = deaf("", over);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      upload(client);
      untilStalled(gateway);
      gateway.usedBuffers(800);
      Eventually.holds(() -> only(gateway).outstanding() == 0);
      gateway.usedBuffers(0);
      assertThat(only(gateway).failures()).isZero();
      assertThat(client.read().status()).isEqualTo(503);
    } finally {
      over.countDown();
    }
  }

  @Test
  void aResponseThatIsEndedForWantOfMemoryIsNoFailureOfTheServer() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (RawApp app = deaf("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", over);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      upload(client);
      untilStalled(gateway);
      gateway.usedBuffers(800);
      Eventually.holds(() -> only(gateway).outstanding() == 0);
      gateway.usedBuffers(0);
      assertThat(only(gateway).failures()).isZero();
    } finally {
      over.countDown();
    }
  }

  @Test
  void aHealthCheckThatThisNodeCannotMakeSaysNothing() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app)) {
      UpstreamPools pools = gateway.server().pools().getFirst();
      EventLoop loop = pools.loop().executor();
      AppServer server = only(gateway);
      Health rule = new Health("/", Duration.ofMinutes(5), Duration.ofSeconds(1), 200, 299, 1, 1);
      HealthCheck check = new HealthCheck(pools, server, rule, new Random(1));
      loop.submit(() -> check.failed(UpstreamFailure.BUSY, false)).sync();
      assertThat(server.state(System.nanoTime())).isEqualTo(State.UP);
      HealthCheck next = new HealthCheck(pools, server, rule, new Random(1));
      loop.submit(() -> next.failed(UpstreamFailure.UNREACHABLE, false)).sync();
      assertThat(server.state(System.nanoTime())).isEqualTo(State.DOWN);
    }
  }

  @Test
  void whoGivesUpLeavesTheQueueOfAServerThatIsNoLongerConfigured() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (RawApp app = deaf("", over);
        RawApp other = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway =
            TestGateway.before(app.port(), limits -> TestGateway.with(limits, new Apps(1, 1, 10, Duration.ofSeconds(40))));
        RawClient first = gateway.connect()) {
      first.get("/public/");
      Eventually.holds(() -> app.received().size() == 1);
      try (RawClient second = gateway.connect()) {
        second.get("/public/");
        Eventually.holds(() -> queueing(gateway) == 1);
        gateway.realms().set(TestGateway.realm(URI.create("http://127.0.0.1:" + other.port())));
        for (GatewayEventLoop loop : gateway.server().loops()) {
          // The loops have heard of it.
          loop.executor().submit(() -> {}).syncUninterruptibly();
        }
      }
      Eventually.holds(() -> queueing(gateway) == 0);
    } finally {
      over.countDown();
    }
  }

  private static int queueing(TestGateway gateway) {
    return gateway.server().pools().stream()
        .mapToInt(pools -> pools.loop().executor().submit(pools::queueing).syncUninterruptibly().getNow())
        .sum();
  }

  /** TLS may fail before the handler is added that answers. */
  @Test
  void aConnectionInExcessCountsUntilItsChannelIsClosed() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app)) {
      AtomicInteger open = new AtomicInteger();
      EmbeddedChannel channel = new EmbeddedChannel();
      assertThat(ExcessConnection.of(channel, gateway.server().loops().getFirst(), open, 4096)).isPresent();
      assertThat(open.get()).isEqualTo(1);
      channel.close().syncUninterruptibly();
      assertThat(open.get()).isZero();
    }
  }
}
