package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.realm.CacheConfig;
import dev.gatehouse.common.realm.CacheConfig.Sharing;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Effect;
import dev.gatehouse.common.realm.PolicyConfig.Rule;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.gateway.cache.CacheScope;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one client does with the cache is no harm to others, nor to the app. */
@Timeout(60)
class CacheAbuseTest {

  private static final int INITIAL_WINDOW_SIZE = 4;

  private static RawApp numbered(String... answers) throws IOException {
    AtomicInteger number = new AtomicInteger();
    return new RawApp(
        (request, in, out, socket) -> {
          RawApp.readBody(request, in);
          String answer = answers[Math.min(number.getAndIncrement(), answers.length - 1)];
          out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
          out.flush();
        });
  }

  @Test
  void aConfirmationForAnOddRequestIsForNobodyElse() throws IOException {
    String page = CachingTest.page("Cache-Control: public, max-age=10\r\nETag: \"a\"\r\n", "page");
    String odd = "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nAccess-Control-Allow-Origin: https://evil.example\r\n\r\n";
    try (RawApp app = numbered(page, odd, "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n");
        TestGateway gateway = CachingGateway.before(app);
        RawClient attacker = gateway.connect();
        RawClient victim = gateway.connect()) {
      victim.get("/public/p").read();
      gateway.time().advance(Duration.ofSeconds(11));
      RawClient.Response own = attacker.get("/public/p", "Origin: https://evil.example").read();
      assertThat(own.status()).isEqualTo(200);
      RawClient.Response seen = victim.get("/public/p").read();
      assertThat(seen.body()).isEqualTo("page");
      assertThat(seen.field("Access-Control-Allow-Origin")).isEmpty();
      assertThat(app.received()).as("confirmed anew").hasSize(3);
    }
  }

  @Test
  void anOddRequestDoesNotKeepThePageOfOthersOutOfTheCache() throws IOException {
    try (RawApp app = RawApp.answering(CachingTest.page("Cache-Control: max-age=60\r\n", "page"));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      for (String line : List.of("Origin: https://odd.example", "Cookie: theirs=1", "Cache-Control: no-store")) {
        client.get("/public/p", line).read();
      }
      client.get("/public/p").read();
      assertThat(client.get("/public/p").read().field("Age")).contains("0");
      assertThat(app.received()).hasSize(4);
    }
  }

  @Test
  void aRangeOfWhatIsTooLargeDoesNotMoveTheWholeOfIt() throws Exception {
    CountDownLatch broken = new CountDownLatch(1);
    try (RawApp app =
            new RawApp(
                (request, in, out, socket) -> {
                  if (request.head().contains("Range:")) {
                    String part = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-0/9999999999\r\n"
                        + "Content-Length: 1\r\n\r\nx";
                    out.write(part.getBytes(StandardCharsets.ISO_8859_1));
                    out.flush();
                    return;
                  }
                  String head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 9999999999\r\n\r\n";
                  out.write(head.getBytes(StandardCharsets.ISO_8859_1));
                  byte[] data = new byte[64 * 1024];
                  try {
                    for (int i = 0; i < 16_000; i++) {
                      out.write(data);
                    }
                  } catch (IOException e) {
                    broken.countDown();
                  }
                });
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/film", "Range: bytes=0-0").read().status()).isEqualTo(206);
      assertThat(broken.await(10, TimeUnit.SECONDS)).as("the app was told that nobody wants it").isTrue();
    }
  }

  @Test
  void aClientThatTakesAPageSlowlyDelaysNobodyElse() throws Exception {
    String page = CachingTest.page("Cache-Control: max-age=60\r\n", "p".repeat(600_000));
    try (RawApp app = RawApp.answering(page);
        TestGateway gateway = CachingGateway.before(app);
        RawHttp2 slow = RawHttp2.connect(gateway.port(), INITIAL_WINDOW_SIZE, 0).withoutCredit();
        RawClient other = gateway.connect()) {
      slow.get(1, "/public/p").await(RawHttp2.HEADERS, 1);
      // The gateway reads on until too much waits for the slow client.
      Thread.sleep(500);
      long begun = System.nanoTime();
      assertThat(other.get("/public/p").read().body()).hasSize(600_000);
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
      assertThat(app.received()).hasSize(2);
    }
  }

  /** They read the head alone; an unsafe request, a purge or other pages remove what they were sent. */
  @Test
  void whoDoesNotTakeRemovedPagesOverHttp2DoesNotKeepAllOfThemInMemory() throws Exception {
    String page = CachingTest.page("Cache-Control: max-age=60\r\n", "p".repeat(900_000));
    List<RawHttp2> slow = new ArrayList<>();
    try (RawApp app = RawApp.answering(page);
        TestGateway gateway = CachingGateway.before(app);
        RawClient quick = gateway.connect()) {
      for (int i = 0; i < 12; i++) {
        quick.get("/public/p" + i).read();
        RawHttp2 client = RawHttp2.connect(gateway.port(), INITIAL_WINDOW_SIZE, 0).withoutCredit();
        slow.add(client);
        String[] part = i % 2 == 0 ? new String[0] : new String[] {"range", "bytes=1-"};
        client.get(1, "/public/p" + i, part).await(RawHttp2.HEADERS, 1);
        gateway.cache().purgeRealm("demo");
        // Nine of them fit into 8 MB. In this order, so that the first one is the eldest.
        long expected = Math.min(i + 1, 9) * 900_000L;
        Eventually.holds(() -> gateway.cache().unread().bytes() == expected);
      }
      slow.getFirst().untilClosed();
      Eventually.holds(() -> gateway.cache().unread().ended() == 3);
      assertThat(gateway.cache().unread().bytes()).isEqualTo(9 * 900_000);
      slow.getLast().frame(RawHttp2.PING, 0, 0, new byte[8]).await(RawHttp2.PING, 0);
      for (RawHttp2 client : slow) {
        client.close();
      }
      Eventually.holds(() -> gateway.cache().unread().bytes() == 0);
    } finally {
      for (RawHttp2 client : slow) {
        client.close();
      }
    }
  }

  @Test
  void whoDoesNotTakeRemovedPagesDoesNotKeepAllOfThemInMemory() throws Exception {
    int length = 3_900_000;
    List<RawClient> slow = new ArrayList<>();
    try (RawApp app = RawApp.answering(CachingTest.page("Cache-Control: max-age=60\r\n", "p".repeat(length)));
        TestGateway gateway = CachingGateway.before(app, CacheAbuseTest::large);
        RawClient quick = gateway.connect()) {
      for (int i = 0; i < 4; i++) {
        assertThat(quick.get("/public/p" + i).read().body()).hasSize(length);
        Socket socket = new Socket();
        // The rest waits in the gateway, because the system's buffers do not take it.
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress("127.0.0.1", gateway.port()));
        RawClient client = new RawClient(socket);
        slow.add(client);
        client.get("/public/p" + i).await("\r\n\r\n");
        gateway.cache().purgeRealm("demo");
      }
      // Two of them fit into 8 MB.
      Eventually.holds(() -> gateway.cache().unread().ended() == 2);
      Eventually.holds(() -> gateway.cache().unread().bytes() == 2 * length);
      assertThat(quick.get("/public/p").read().body()).hasSize(length);
      for (RawClient client : slow) {
        client.close();
      }
      Eventually.holds(() -> gateway.cache().unread().bytes() == 0);
    } finally {
      for (RawClient client : slow) {
        client.close();
      }
    }
  }

  private static CacheConfig large(CacheConfig c) {
    return new CacheConfig(
        c.defaultFreshness(), c.maxAge(), 4L << 20, c.staleWhileRevalidate(), c.staleIfError(), c.sharing(), c.request(), c.tags(),
        c.compress());
  }

  @Test
  void whatTheAppHasTakenAwayIsNotServedStaleAnyLonger() throws Exception {
    String page = CachingTest.page("Cache-Control: max-age=10, stale-while-revalidate=3600\r\n", "old");
    try (RawApp app = numbered(page, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      gateway.time().advance(Duration.ofSeconds(30));
      int status = client.get("/public/p").read().status();
      for (int i = 0; i < 200 && status == 200; i++) {
        Thread.sleep(10);
        status = client.get("/public/p").read().status();
      }
      assertThat(status).isEqualTo(404);
    }
  }

  @Test
  void anUnsafeRequestByAnotherRouteDropsWhatItHasChanged() throws IOException {
    try (RawApp app = RawApp.answering(CachingTest.fresh("page"))) {
      CacheConfig ignoring =
          CachingGateway.request(new CacheConfig.Request(Set.of(), Set.of(), Set.of("utm_source"), false)).apply(CacheConfig.USUAL);
      RouteConfig kept = TestRoutes.withCache(route("kept", app.port(), new Access.Public()), ignoring);
      RouteConfig changing = route("changing", app.port(), new Access.Public());
      var realm =
          TestRealms.change(TestRealms.demo())
              .spUrls("http://app.localhost")
              .routes(TestRoutes.withMethods(kept, Set.of("GET")), TestRoutes.withMethods(changing, Set.of("POST")))
              .realm();
      try (TestGateway gateway = TestGateway.of(realm);
          RawClient client = gateway.connect()) {
        client.get("/same/p").read();
        assertThat(client.get("/same/p").read().field("Age")).contains("0");
        client.send("POST /same/p HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 0\r\n\r\n").read();
        assertThat(client.get("/same/p").read().field("Age")).isEmpty();
        client.send("POST /same/p?utm_source=a HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 0\r\n\r\n").read();
        assertThat(client.get("/same/p").read().field("Age")).as("the other route ignores the parameter").isEmpty();
      }
    }
  }

  @Test
  void rolesOfPoliciesTellKeptResponsesApart() {
    CacheConfig byRule = TestRoutes.sharing(new Sharing.ByRule());
    RouteConfig route = TestRoutes.withCache(route("r", 1, new Access.Protected()), byRule);
    CacheScope byRoles =
        scope(route, new Condition.AnyRole(Set.of("admin")), new Condition.AllRoles(Set.of("clerk")));
    assertThat(byRoles.sharesIdentified()).isTrue();
    assertThat(byRoles.roles(List.of("admin"))).isNotEqualTo(byRoles.roles(List.of("clerk")));
    assertThat(byRoles.roles(List.of("Admin"))).as("the rule finds them equal").isEqualTo(byRoles.roles(List.of("admin")));
    assertThat(byRoles.roles(List.of("admin", "other"))).isEqualTo(byRoles.roles(List.of("admin")));
    CacheScope byGroup = scope(route, new Condition.AnyRole(Set.of("admin")), new Condition.AnyGroup(Set.of("x")));
    assertThat(byGroup.sharesIdentified()).as("roles say too little here").isFalse();
    RouteConfig named = TestRoutes.withCache(route, TestRoutes.sharing(new Sharing.ByRoles(List.of("admin"))));
    assertThat(scope(named, new Condition.AnyGroup(Set.of("x"))).sharesIdentified()).isTrue();
  }

  private static CacheScope scope(RouteConfig route, Condition... each) {
    List<Rule> rules =
        java.util.Arrays.stream(each).map(c -> new Rule("rule " + c, Effect.PERMIT, List.of(c))).toList();
    return CacheScope.of("demo", route.withPolicies(List.of(new PolicyConfig("p", rules)))).orElseThrow();
  }

  private static RouteConfig route(String name, int port, Access access) {
    return new RouteConfig(
        name, new GatewayConfig.Match(Set.of("app.localhost"), "/same/"), URI.create("http://127.0.0.1:" + port), access,
        Map.of(), GatewayConfig.SignOn.USUAL);
  }
}
