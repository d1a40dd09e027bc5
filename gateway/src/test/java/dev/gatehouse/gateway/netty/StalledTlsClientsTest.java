package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.http.InsecureTrustManager;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.CacheConfig;
import dev.gatehouse.gateway.demo.DemoCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients over TLS that take nothing: what waits for them is bounded, and gone at once when memory is short (SECURITY-CASES 60). */
@Timeout(90)
class StalledTlsClientsTest {

  private static final int SIZE = 3 << 20;
  private static final String KEPT =
      "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: " + SIZE + "\r\n\r\n" + "k".repeat(SIZE);

  /** More than a client's and a server's socket hold for one that reads nothing. */
  private static final int PAGES = 5;

  @TempDir private Path folder;

  private static CacheConfig keepingLarge(CacheConfig c) {
    return new CacheConfig(
        c.defaultFreshness(), c.maxAge(), 4 << 20, c.staleWhileRevalidate(), c.staleIfError(), c.sharing(), c.request(),
        c.tags(), c.compress());
  }

  private TestGateway secure(RawApp app) {
    DemoCertificate.ensure(folder, Instant.now(), new SecureRandom());
    Node.Tls tls = new Node.Tls(folder.resolve("demo.crt"), folder.resolve("demo.key"));
    return TestGateway.secure(
        CachingGateway.realm(app, StalledTlsClientsTest::keepingLarge), List.of(tls), Optional.empty());
  }

  /** With a small window, so that what is not read waits at the gateway. */
  private static Socket connect(TestGateway gateway, String protocol) throws Exception {
    Socket plain = new Socket();
    plain.setReceiveBufferSize(16 * 1024);
    plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
    SSLContext context = InsecureTrustManager.context();
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, "app.localhost", 443, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private static boolean isStalled(TestGateway gateway) {
    return gateway.held() > 20_000;
  }

  /** Each connection has ciphertext of its own: what is kept for everybody is no longer everybody's. */
  @Test
  void ofALargeKeptPageLittleIsEncryptedAheadAndAllOfItArrives() throws Exception {
    try (RawApp app = RawApp.answering(KEPT);
        TestGateway gateway = secure(app)) {
      try (RawClient first = new RawClient(connect(gateway, "http/1.1"))) {
        assertThat(first.get("/public/large").read().complete()).isTrue();
      }
      try (RawClient slow = new RawClient(connect(gateway, "http/1.1"))) {
        for (int i = 0; i < PAGES; i++) {
          slow.get("/public/large", i == PAGES - 1 ? "Connection: close" : i == 1 ? "Range: bytes=0-" + (SIZE - 2) : "X-Last: no");
        }
        Eventually.holds(() -> isStalled(gateway));
        Thread.sleep(300);
        assertThat(gateway.held()).isBetween(20_000L, 256L * 1024);
        for (int i = 0; i < PAGES; i++) {
          RawClient.Response page = slow.read();
          assertThat(page.status()).isEqualTo(i == 1 ? 206 : 200);
          assertThat(page.complete()).isTrue();
          assertThat(page.body()).hasSize(i == 1 ? SIZE - 1 : SIZE).containsOnlyOnce("k".repeat(page.body().length()));
        }
        assertThat(slow.isClosed()).isTrue();
      }
      assertThat(app.received()).hasSize(1);
      Eventually.holds(() -> gateway.held() == 0);
    }
  }

  @Test
  void inClearTextWhatIsKeptCountsAsNobodys() throws Exception {
    try (RawApp app = RawApp.answering(KEPT);
        TestGateway gateway = TestGateway.of(CachingGateway.realm(app, StalledTlsClientsTest::keepingLarge))) {
      try (RawClient first = gateway.connect()) {
        assertThat(first.get("/public/large").read().complete()).isTrue();
      }
      Socket socket = new Socket();
      socket.setReceiveBufferSize(16 * 1024);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
      try (RawClient slow = new RawClient(socket)) {
        for (int i = 0; i < PAGES; i++) {
          slow.get("/public/large");
        }
        Thread.sleep(1000);
        assertThat(gateway.held()).isLessThan(10_000);
        for (int i = 0; i < PAGES; i++) {
          assertThat(slow.read().body()).hasSize(SIZE);
        }
      }
    }
  }

  /** A farewell of TLS would wait behind what the client does not take, for three seconds. */
  @Test
  void aStalledHttp11ClientIsEndedAtOnceWhenMemoryIsShort() throws Exception {
    try (RawApp app = RawApp.answering(KEPT);
        TestGateway gateway = secure(app);
        RawClient slow = new RawClient(connect(gateway, "http/1.1"))) {
      for (int i = 0; i < PAGES; i++) {
        slow.get("/public/large");
      }
      Eventually.holds(() -> isStalled(gateway));
      assertEndedAtOnce(gateway);
      assertThat(isCut(slow)).isTrue();
    }
  }

  @Test
  void aStalledHttp2ClientIsEndedAtOnceWhenMemoryIsShort() throws Exception {
    try (RawApp app = RawApp.answering(KEPT);
        TestGateway gateway = secure(app);
        RawHttp2 slow = new RawHttp2(connect(gateway, "h2")).preface(4, 1 << 30)) {
      slow.frame(RawHttp2.WINDOW_UPDATE, 0, 0, RawHttp2.number(1 << 30));
      for (int i = 0; i < PAGES; i++) {
        slow.get(2 * i + 1, "/public/large");
      }
      Eventually.holds(() -> isStalled(gateway));
      assertEndedAtOnce(gateway);
    }
  }

  private static void assertEndedAtOnce(TestGateway gateway) throws InterruptedException {
    long begin = System.nanoTime();
    gateway.usedBuffers(TestGateway.MAX_BUFFERS);
    Eventually.holds(() -> gateway.held() == 0);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(2500));
    gateway.usedBuffers(0);
  }

  private static boolean isCut(RawClient client) throws IOException {
    try {
      client.rest();
    } catch (SocketException e) {
      return true;
    }
    return client.isClosed();
  }
}
