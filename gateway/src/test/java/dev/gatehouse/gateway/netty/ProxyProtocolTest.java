package dev.gatehouse.gateway.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.proxy.ProxyHeaders;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.gateway.demo.DemoCertificate;
import dev.gatehouse.common.http.InsecureTrustManager;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The PROXY protocol at the gateway, over raw sockets. SECURITY-CASES 50, 80. */
class ProxyProtocolTest {

  private static final Cidr HERE = new Cidr(InetAddress.ofLiteral("127.0.0.1"), 32);
  private static final Cidr ELSEWHERE = new Cidr(InetAddress.ofLiteral("127.0.0.9"), 32);
  private static final String LINE = "PROXY TCP4 203.0.113.7 192.0.2.1 56324 443\r\n";

  @TempDir private Path folder;

  private static TestGateway behind(RawApp app, Cidr balancers) {
    return TestGateway.behindBalancer(app, balancers, Optional.empty(), limits -> limits);
  }

  private static double refused(TestGateway gateway, String reason) {
    return gateway.meters().get("gatehouse.proxy.protocol.refused").tag("edge", "gateway").tag("reason", reason).functionCounter().count();
  }

  @Test
  void theAppLearnsTheAddressOfTheHeader() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x")); TestGateway gateway = behind(app, HERE)) {
      try (RawClient client = gateway.connect()) {
        client.send(LINE);
        assertThat(client.get("/public/").read().status()).isEqualTo(200);
        assertThat(client.get("/public/", "X-Forwarded-For: 198.51.100.1", "Forwarded: for=198.51.100.1").read().status()).isEqualTo(200);
      }
      try (RawClient client = gateway.connect()) {
        client.send(ProxyHeaders.of("2001:db8::7"));
        assertThat(client.get("/public/").read().status()).isEqualTo(200);
      }
      assertThat(app.received().get(0).has("X-Forwarded-For: 203.0.113.7")).isTrue();
      assertThat(app.received().get(0).has("X-Forwarded-Proto: http")).isTrue();
      assertThat(app.received().get(1).has("X-Forwarded-For: 203.0.113.7")).isTrue();
      assertThat(app.received().get(1).has("Forwarded: for=203.0.113.7;host=\"app.localhost\";proto=http")).isTrue();
      assertThat(app.received().get(2).has("X-Forwarded-For: 2001:db8:0:0:0:0:0:7")).isTrue();
    }
  }

  @Test
  void aProxyInFrontOfTheBalancerStatesTheClientInItsFields() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x")); TestGateway gateway = behind(app, HERE); RawClient client = gateway.connect()) {
      client.send(LINE.replace("203.0.113.7", "127.0.0.1"));
      assertThat(client.get("/public/", "X-Forwarded-For: 198.51.100.1", "X-Forwarded-Proto: https").read().status()).isEqualTo(200);
      assertThat(app.only().has("X-Forwarded-For: 198.51.100.1, 127.0.0.1")).isTrue();
      assertThat(app.only().has("X-Forwarded-Proto: https")).isTrue();
    }
  }

  @Test
  void tlsThatEndedAtTheBalancerCounts() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x")); TestGateway gateway = behind(app, HERE); RawClient client = gateway.connect()) {
      client.send(ProxyHeaders.of("203.0.113.7", ProxyHeaders.TLS));
      assertThat(client.get("/public/").read().status()).isEqualTo(200);
      assertThat(app.only().has("X-Forwarded-Proto: https")).isTrue();
      assertThat(app.only().has("X-Forwarded-Port: 443")).isTrue();
    }
  }

  @Test
  void theHeaderMayComeByteByByteAndWithTheRequest() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x")); TestGateway gateway = behind(app, HERE)) {
      try (RawClient client = gateway.connect()) {
        for (byte b : ProxyHeaders.of("203.0.113.7", ProxyHeaders.TLS)) {
          client.send(new byte[] {b});
        }
        assertThat(client.get("/public/").read().status()).isEqualTo(200);
      }
      try (RawClient client = gateway.connect()) {
        client.send(LINE + "GET /public/ HTTP/1.1\r\nHost: app.localhost\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(200);
      }
      try (RawClient client = gateway.connect()) {
        client.send(ProxyHeaders.concat(ProxyHeaders.of("203.0.113.7"), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII)));
        byte[] frame = new byte[9];
        assertThat(client.read(frame, 9)).isEqualTo(9);
        assertThat(frame[3]).as("SETTINGS").isEqualTo((byte) 4);
      }
    }
  }

  @Test
  void theHeaderComesBeforeTls() throws Exception {
    DemoCertificate.ensure(folder, Instant.now(), new SecureRandom());
    Node.Tls tls = new Node.Tls(folder.resolve("demo.crt"), folder.resolve("demo.key"));
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.behindBalancer(app, HERE, Optional.of(tls), limits -> limits)) {
      Socket plain = new Socket("127.0.0.1", gateway.port());
      plain.getOutputStream().write(ProxyHeaders.of("203.0.113.7"));
      try (RawClient client = new RawClient(over(plain))) {
        assertThat(client.get("/public/").read().status()).isEqualTo(200);
      }
      assertThat(app.only().has("X-Forwarded-For: 203.0.113.7")).isTrue();
      assertThat(app.only().has("X-Forwarded-Proto: https")).isTrue();
      try (Socket without = new Socket("127.0.0.1", gateway.port()); RawClient client = new RawClient(without)) {
        client.send(new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc});
        assertThat(client.isClosed()).isTrue();
      }
      assertThat(refused(gateway, "missing")).isEqualTo(1);
    }
  }

  /** SECURITY-CASES 80. */
  @Test
  void case80WhoIsNotTheBalancerIsClosed() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = behind(app, ELSEWHERE);
        RawClient client = gateway.connect()) {
      assertThat(closes(client, LINE + "GET /public/ HTTP/1.1\r\nHost: app.localhost\r\n\r\n")).isTrue();
      assertThat(app.received()).isEmpty();
      assertThat(refused(gateway, "untrusted")).isEqualTo(1);
    }
  }

  /** SECURITY-CASES 80: a listener without the protocol reads a header as a malformed request, also of a trusted proxy. */
  @Test
  void case80AHeaderCountsOnlyWhereItIsConfigured() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.trusting(app, HERE);
        RawClient client = gateway.connect()) {
      assertThat(client.send(LINE).get("/public/").read().status()).isEqualTo(400);
      assertThat(client.isClosed()).isTrue();
      assertThat(app.received()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "missing|GET /public/ HTTP/1.1\r\nHost: app.localhost\r\n\r\n", "malformed|PROXY TCP4 203.0.113.7\r\n",
    "unsupported|PROXY UDP4 1 2 3 4\r\n",
    "too-large|PROXY UNKNOWN 12345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345\r\n"})
  void whatIsNoHeaderIsClosed(String reasonAndBytes) throws Exception {
    String reason = reasonAndBytes.substring(0, reasonAndBytes.indexOf('|'));
    try (RawApp app = RawApp.answering(RawApp.ok("x")); TestGateway gateway = behind(app, HERE); RawClient client = gateway.connect()) {
      assertThat(closes(client, reasonAndBytes.substring(reason.length() + 1))).isTrue();
      assertThat(app.received()).isEmpty();
      assertThat(refused(gateway, reason)).isEqualTo(1);
    }
  }

  @Test
  void aSlowHeaderIsClosed() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x")); TestGateway gateway = behind(app, HERE); RawClient client = gateway.connect()) {
      long begin = System.nanoTime();
      client.send("PROXY TCP4 ");
      assertThat(client.isClosed()).isTrue();
      assertThat((System.nanoTime() - begin) / 1e9).isBetween(4.5, 9.0);
      assertThat(refused(gateway, "too-slow")).isEqualTo(1);
    }
  }

  /** Balancers check health as themselves; what such a connection says of other clients does not count. */
  @Test
  void whenTheBalancerSpeaksForItselfItsFieldsDoNotCount() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x")); TestGateway gateway = behind(app, HERE)) {
      for (byte[] own : new byte[][] {ProxyHeaders.header(0x20, 0, new byte[0]), ProxyHeaders.line("PROXY UNKNOWN")}) {
        try (RawClient client = gateway.connect()) {
          client.send(own);
          assertThat(client.get("/public/", "X-Forwarded-For: 198.51.100.1", "X-Forwarded-Proto: https").read().status()).isEqualTo(200);
        }
      }
      assertThat(app.received()).allMatch(request -> request.has("X-Forwarded-For: 127.0.0.1") && request.has("X-Forwarded-Proto: http"));
    }
  }

  /** Health checks of a balancer that only open the port are no mistakes. */
  @Test
  void aConnectionWithoutAByteIsNotCounted() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x")); TestGateway gateway = behind(app, HERE)) {
      gateway.connect().close();
      try (RawClient client = gateway.connect()) {
        assertThat(client.send(LINE).get("/public/").read().status()).isEqualTo(200);
      }
      assertThat(gateway.meters().find("gatehouse.proxy.protocol.refused").functionCounters()).allMatch(counter -> counter.count() == 0);
    }
  }

  @Test
  void limitsOfConnectionsCountByTheClientsAddress() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.behindBalancer(app, HERE, Optional.empty(), limited(100, 1));
        RawClient first = gateway.connect();
        RawClient second = gateway.connect();
        RawClient other = gateway.connect()) {
      assertThat(first.send(LINE).get("/public/").read().status()).isEqualTo(200);
      assertThat(second.send(LINE).get("/public/").read().status()).isEqualTo(503);
      assertThat(other.send(LINE.replace("113.7", "113.8")).get("/public/").read().status()).isEqualTo(200);
    }
  }

  @Test
  void oneConnectionTooManyIsAnsweredBehindItsHeader() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.behindBalancer(app, HERE, Optional.empty(), limited(1, 1));
        RawClient first = gateway.connect()) {
      assertThat(first.send(LINE).get("/public/").read().status()).isEqualTo(200);
      try (RawClient second = gateway.connect()) {
        second.send(LINE + "GET /public/ HTTP/1.1\r\nHost: app.localhost\r\n\r\n");
        assertThat(second.await("\r\n\r\n").rest()).contains("Too many connections");
      }
    }
  }

  private static UnaryOperator<NodeLimits> limited(int connections, int perAddress) {
    return l -> new NodeLimits(connections, perAddress, l.messages(), l.appConnections(), l.times(), l.flow(), l.apps());
  }

  private static boolean closes(RawClient client, String bytes) throws IOException {
    try {
      client.send(bytes);
    } catch (java.net.SocketException e) {
      return true;
    }
    return client.isClosed();
  }

  private static SSLSocket over(Socket plain) throws Exception {
    return (SSLSocket) InsecureTrustManager.context().getSocketFactory().createSocket(plain, "app.localhost", plain.getPort(), true);
  }
}
