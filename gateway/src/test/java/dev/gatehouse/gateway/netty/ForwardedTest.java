package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.Cidr;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** Forwarded (RFC 7239) of trusted proxies at the gateway. SECURITY-CASES 50, 80. */
class ForwardedTest {

  private static final Cidr HERE = new Cidr(InetAddress.ofLiteral("127.0.0.1"), 32);
  private static final Cidr ELSEWHERE = new Cidr(InetAddress.ofLiteral("127.0.0.9"), 32);

  @Test
  void theFarthestAddressBehindTrustedOnesIsTheClient() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.behindForwarding(app, HERE);
        RawClient client = gateway.connect()) {
      String chain = "Forwarded: for=198.51.100.9;host=evil.example;proto=http, for=\"[2001:db8::7]:99\"";
      client.get("/public/", chain, "Forwarded: for=127.0.0.1;proto=https").read();
      assertThat(app.only().has("X-Forwarded-For: 2001:db8:0:0:0:0:0:7, 127.0.0.1, 127.0.0.1")).isTrue();
      assertThat(app.only().has("X-Forwarded-Proto: https")).isTrue();
      String sent = "for=\"[2001:db8:0:0:0:0:0:7]\", for=127.0.0.1, for=127.0.0.1;host=\"app.localhost\";proto=https";
      assertThat(app.only().has("Forwarded: " + sent))
          .isTrue();
    }
  }

  @Test
  void whatIsUnknownOrHiddenEndsTheChain() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.behindForwarding(app, HERE);
        RawClient client = gateway.connect()) {
      for (String hidden : new String[] {"for=unknown", "for=_hidden", "proto=http"}) {
        assertThat(client.get("/public/", "Forwarded: for=198.51.100.9, " + hidden).read().status()).isEqualTo(200);
      }
      assertThat(app.received()).hasSize(3).allMatch(request -> request.has("X-Forwarded-For: 127.0.0.1"));
    }
  }

  /** A proxy passes the other fields on as a client wrote them. */
  @Test
  void case50OnlyTheConfiguredFieldsCount() throws Exception {
    String parts = "X-Forwarded-For: 198.51.100.9\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Port: 1";
    String element = "Forwarded: for=198.51.100.9;proto=https;host=evil.example";
    try (RawApp app = RawApp.answering(RawApp.ok("x"))) {
      try (TestGateway gateway = TestGateway.behindForwarding(app, HERE); RawClient client = gateway.connect()) {
        assertThat(client.get("/public/", parts).read().status()).isEqualTo(200);
        assertThat(client.get("/public/", parts, "Forwarded: for=203.0.113.7").read().status()).isEqualTo(200);
      }
      try (TestGateway gateway = TestGateway.trusting(app, HERE); RawClient client = gateway.connect()) {
        assertThat(client.get("/public/", element, "X-Forwarded-For: 203.0.113.7").read().status()).isEqualTo(200);
      }
      assertThat(app.received().get(0).has("X-Forwarded-For: 127.0.0.1")).isTrue();
      assertThat(app.received().get(1).has("X-Forwarded-For: 203.0.113.7, 127.0.0.1")).isTrue();
      assertThat(app.received().get(2).has("X-Forwarded-For: 203.0.113.7, 127.0.0.1")).isTrue();
      assertThat(app.received())
          .allMatch(request -> request.has("X-Forwarded-Proto: http") && request.has("X-Forwarded-Host: app.localhost"));
      assertThat(app.received()).noneMatch(request -> request.head().contains("198.51.100.9"));
    }
  }

  @Test
  void case80OfStrangersItIsAsIfNotSent() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.behindForwarding(app, ELSEWHERE);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/", "Forwarded: for=198.51.100.9;proto=https;host=evil.example").read().status()).isEqualTo(200);
      assertThat(client.get("/public/", "Forwarded: \"").read().status()).isEqualTo(200);
      assertThat(app.received()).allMatch(request -> request.has("X-Forwarded-For: 127.0.0.1") && request.has("X-Forwarded-Proto: http"));
    }
  }

  @Test
  void aMalformedFieldIsRefused() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x")); TestGateway gateway = TestGateway.behindForwarding(app, HERE)) {
      for (String malformed : new String[] {"for=[::1]", "for=1.2.3.4;for=1.2.3.4", "host=\"a b\"", "proto=ftp"}) {
        try (RawClient client = gateway.connect()) {
          assertThat(client.get("/public/", "Forwarded: for=198.51.100.9, " + malformed).read().status()).isEqualTo(400);
        }
      }
      assertThat(app.received()).isEmpty();
    }
  }
}
