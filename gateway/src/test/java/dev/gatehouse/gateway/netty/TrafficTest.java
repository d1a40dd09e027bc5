package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.common.realm.TrafficConfig;
import dev.gatehouse.common.realm.TrafficConfig.Rate;
import dev.gatehouse.gateway.netty.RawClient.Response;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits of routes and nodes: rates, bodies, connections of one address, and memory for newcomers. */
@Timeout(60)
class TrafficTest {

  private static final Optional<Rate> TWO_AN_HOUR = Optional.of(new Rate(2, Duration.ofHours(1), 2));

  private static Realm realm(RawApp app, TrafficConfig limits) {
    URI url = URI.create("http://127.0.0.1:" + app.port());
    return TestRealms.change(TestRealms.demo())
        .spUrls("http://app.localhost", "https://app.localhost")
        .routes(
            TestRoutes.withTraffic(TestRealms.route("limited", "/limited/", url, new Access.Public()), limits),
            TestRoutes.withTraffic(TestRealms.route("people", "/people/", url, new Access.Protected()), limits),
            TestRealms.route("free", "/free/", url, new Access.Public()))
        .realm();
  }

  @Test
  void anAddressThatAsksTooOftenIsToldWhenToComeBack() throws Exception {
    TrafficConfig limits = new TrafficConfig(Optional.empty(), TWO_AN_HOUR, Optional.empty(), Optional.empty());
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.of(realm(app, limits));
        RawClient client = gateway.connect()) {
      assertThat(client.get("/limited/").read().status()).isEqualTo(200);
      assertThat(client.get("/limited/").read().status()).isEqualTo(200);
      Response third = client.get("/limited/").read();
      assertThat(third.status()).isEqualTo(429);
      assertThat(Integer.parseInt(third.field("Retry-After").orElseThrow())).isBetween(1700, 1800);
      assertThat(third.body()).contains("too-many-requests");
      // Another route has its own bucket, and the connection goes on.
      assertThat(client.get("/free/").read().status()).isEqualTo(200);
      assertThat(gateway.denials()).containsExactly("RATE_EXCEEDED");
      assertThat(app.received()).hasSize(3);
    }
  }

  @Test
  void onePersonIsLimitedOverAllConnectionsAndAnotherIsNot() throws Exception {
    TrafficConfig limits = new TrafficConfig(Optional.empty(), Optional.empty(), TWO_AN_HOUR, Optional.empty());
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.of(realm(app, limits))) {
      String alice = "Cookie: gh_app=" + gateway.sessions().open("alice", List.of(), List.of());
      String secondOfAlice = "Cookie: gh_app=" + gateway.sessions().open("alice", List.of(), List.of());
      String bob = "Cookie: gh_app=" + gateway.sessions().open("bob", List.of(), List.of());
      List<Integer> statuses = new ArrayList<>();
      for (String who : List.of(alice, secondOfAlice, alice, bob)) {
        try (RawClient client = gateway.connect()) {
          statuses.add(client.get("/people/", who).read().status());
        }
      }
      assertThat(statuses).containsExactly(200, 200, 429, 200);
    }
  }

  @Test
  void aRouteIsLimitedForAllTogether() throws Exception {
    TrafficConfig limits = new TrafficConfig(Optional.empty(), Optional.empty(), Optional.empty(), TWO_AN_HOUR);
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.of(realm(app, limits));
        RawClient client = gateway.connect()) {
      client.get("/limited/").read();
      client.get("/limited/").read();
      assertThat(client.get("/limited/").read().status()).isEqualTo(429);
    }
  }

  @Test
  void aBodyThatIsAnnouncedTooLargeIsNotRead() throws Exception {
    TrafficConfig limits =
        new TrafficConfig(Optional.of(1000L), Optional.empty(), Optional.empty(), Optional.empty());
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.of(realm(app, limits));
        RawClient client = gateway.connect()) {
      String post = "POST /limited/ HTTP/1.1\r\nHost: app.localhost\r\nExpect: 100-continue\r\nContent-Length: ";
      client.send(post + "1001\r\n\r\n");
      // Not 100: nothing of the body was sent, and the app was not even asked.
      assertThat(client.read().status()).isEqualTo(413);
      assertThat(gateway.denials()).containsExactly("BODY_TOO_LARGE");
      assertThat(app.received()).isEmpty();
    }
  }

  @Test
  void aBodyWithoutLengthIsCutWhileItIsRead() throws Exception {
    TrafficConfig limits =
        new TrafficConfig(Optional.of(1000L), Optional.empty(), Optional.empty(), Optional.empty());
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.of(realm(app, limits));
        RawClient client = gateway.connect()) {
      String head = "POST /limited/ HTTP/1.1\r\nHost: app.localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
      client.send(head + "1f4\r\n" + "x".repeat(500) + "\r\n1f4\r\n" + "x".repeat(500) + "\r\n0\r\n\r\n");
      assertThat(client.read().status()).isEqualTo(200);
      client.send(head + "1f4\r\n" + "x".repeat(500) + "\r\n1f5\r\n" + "x".repeat(501) + "\r\n0\r\n\r\n");
      assertThat(client.read().status()).isEqualTo(413);
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void oneAddressHasNoMoreThanItsConnectionsAndOthersHaveTheirs() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app.port(), l -> TestGateway.withConnections(l, l.connections(), 2));
        RawClient first = gateway.connect();
        RawClient second = gateway.connect()) {
      assertThat(first.get("/public/").read().status()).isEqualTo(200);
      assertThat(second.get("/public/").read().status()).isEqualTo(200);
      try (RawClient third = gateway.connect()) {
        Response refused = third.get("/public/").read();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.field("Retry-After")).contains("5");
        assertThat(third.isClosed()).isTrue();
      }
      try (RawHttp2 third = RawHttp2.connect(gateway.port())) {
        assertThat(third.get(1, "/public/").untilClosed()).contains(RawHttp2.ENHANCE_YOUR_CALM);
      }
      try (RawClient other = new RawClient(new java.net.Socket(
          InetAddress.ofLiteral("127.0.0.1"), gateway.port(), InetAddress.ofLiteral("127.0.0.2"), 0))) {
        assertThat(other.get("/public/").read().status()).isEqualTo(200);
      }
      second.close();
      for (int i = 0; i < 100 && gateway.meters().get("gatehouse.gateway.connections").gauge().value() > 1; i++) {
        Thread.sleep(20);
      }
      try (RawClient again = gateway.connect()) {
        assertThat(again.get("/public/").read().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void aTrustedProxysConnectionsAreNotCountedForItsAddressAndItsClientsHaveTheirOwnRates() throws Exception {
    TrafficConfig limits = new TrafficConfig(Optional.empty(), TWO_AN_HOUR, Optional.empty(), Optional.empty());
    Cidr proxies = new Cidr(InetAddress.ofLiteral("127.0.0.1"), 32);
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.trusting(realm(app, limits), proxies, l -> TestGateway.withConnections(l, l.connections(), 1));
        RawClient first = gateway.connect();
        RawClient second = gateway.connect()) {
      List<Integer> statuses = new ArrayList<>();
      for (String from : List.of("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")) {
        RawClient client = statuses.size() % 2 == 0 ? first : second;
        statuses.add(client.get("/limited/", "X-Forwarded-For: " + from).read().status());
      }
      // IPv6: the last 64 bits are the client's own choice.
      for (String from : List.of("2001:db8::1", "2001:db8::2", "2001:db8::ffff:3", "2001:db8:0:1::1")) {
        statuses.add(first.get("/limited/", "X-Forwarded-For: " + from).read().status());
      }
      assertThat(statuses).containsExactly(200, 200, 429, 200, 200, 200, 429, 200);
    }
  }

  @Test
  void whenMemoryIsShortNobodyNewIsLetInAndPeopleWithSessionsAreServed() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      gateway.freeMemory(0.09);
      Thread.sleep(300);
      Response newcomer = client.get("/").read();
      assertThat(newcomer.status()).isEqualTo(503);
      assertThat(newcomer.field("Retry-After")).contains("30");
      assertThat(newcomer.body()).contains("overloaded");
      assertThat(client.get("/.gatehouse/login").read().status()).isEqualTo(503);
      assertThat(client.send("POST /.gatehouse/saml/acs HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 1\r\n\r\nx")
          .read().status()).isEqualTo(503);
      assertThat(gateway.serviceProvider().handled()).isEmpty();
    }
  }

  @Test
  void directMemoryIsMemoryToo() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String alice = "Cookie: gh_app=" + gateway.sessions().open("alice", List.of(), List.of());
      gateway.freeDirect(0.05);
      Thread.sleep(300);
      assertThat(client.get("/").read().status()).isEqualTo(503);
      assertThat(client.get("/", alice).read().status()).isEqualTo(200);
      gateway.freeDirect(0.5);
      Thread.sleep(300);
      assertThat(client.get("/").read().status()).isEqualTo(303);
    }
  }

  @Test
  void whenMemoryIsShortPeopleAndPublicPagesAndLogoutsAreServedUntilThereIsWellEnoughAgain() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String alice = "Cookie: gh_app=" + gateway.sessions().open("alice", List.of(), List.of());
      gateway.freeMemory(0.09);
      Thread.sleep(300);
      assertThat(client.get("/").read().status()).isEqualTo(503);
      assertThat(client.get("/", alice).read().status()).isEqualTo(200);
      assertThat(client.get("/public/").read().status()).isEqualTo(200);
      assertThat(client.get("/.gatehouse/logout").read().status()).isEqualTo(200);
      // A little above the reserve is not enough: who was refused would be let in and refused again.
      gateway.freeMemory(0.11);
      Thread.sleep(300);
      assertThat(client.get("/").read().status()).isEqualTo(503);
      gateway.freeMemory(0.2);
      Thread.sleep(300);
      assertThat(client.get("/").read().status()).isEqualTo(303);
    }
  }

  @Test
  void bodiesThatTheGatewayItselfTakesHaveRoomTogetherAndTheEldestMakesRoom() throws Exception {
    String head = "POST /.gatehouse/saml/slo HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: ";
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app);
        RawClient quick = gateway.connect()) {
      List<RawClient> slow = new ArrayList<>();
      for (int i = 1; i <= 4; i++) {
        slow.add(gateway.connect().send(head + "500000\r\n\r\n" + "x".repeat(250_000)));
        awaitHeld(gateway, 250_000L * i);
      }
      Thread.sleep(300);
      Response answer = quick.send(head + "100000\r\n\r\n" + "x".repeat(100_000)).read();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).endsWith(" 100000");
      assertThat(slow.getFirst().read().status()).isEqualTo(408);
      awaitHeld(gateway, 750_000);
      for (RawClient client : slow) {
        client.close();
      }
      awaitHeld(gateway, 0);
      assertThat(gateway.serviceProvider().handled()).hasSize(1);
    }
  }

  private static void awaitHeld(TestGateway gateway, long bytes) throws InterruptedException {
    for (int i = 0; i < 1000 && gateway.heldBodies() != bytes; i++) {
      Thread.sleep(10);
    }
    assertThat(gateway.heldBodies()).isEqualTo(bytes);
  }
}
