package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.realm.UpstreamConfig;
import dev.gatehouse.common.realm.UpstreamConfig.Balance;
import dev.gatehouse.common.realm.UpstreamConfig.Connections;
import dev.gatehouse.common.realm.UpstreamConfig.Health;
import dev.gatehouse.common.realm.UpstreamConfig.Passive;
import dev.gatehouse.common.realm.UpstreamConfig.Retries;
import dev.gatehouse.common.realm.UpstreamConfig.Server;
import dev.gatehouse.common.realm.UpstreamConfig.Times;
import dev.gatehouse.gateway.netty.RawClient.Response;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.WatchedConnection;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.AppServer.State;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An app with several servers: who gets a request, what happens when one of them is ill, and what is never sent twice. */
@Timeout(60)
class SeveralServersTest {

  private static final Passive STRICT = new Passive(2, Duration.ofSeconds(10), Duration.ofMillis(700), Set.of(502, 503, 504));

  private final List<RawApp> apps = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    for (RawApp app : apps) {
      app.close();
    }
  }

  /** Answers with its name, after the request's body. */
  private RawApp named(String name) throws IOException {
    return app(
        (request, in, out, socket) -> {
          RawApp.readBody(request, in);
          out.write(RawApp.ok(name).getBytes(StandardCharsets.US_ASCII));
          out.flush();
        });
  }

  private RawApp app(RawApp.Behaviour behaviour) throws IOException {
    RawApp app = new RawApp(behaviour);
    apps.add(app);
    return app;
  }

  private static URI url(RawApp app) {
    return URI.create("http://127.0.0.1:" + app.port());
  }

  private static URI nobody() {
    return URI.create("http://127.0.0.1:" + FreePorts.one());
  }

  private static UpstreamConfig with(UpstreamConfig c, Balance balance) {
    return new UpstreamConfig(
        c.servers(), balance, c.health(), c.passive(), c.tls(), c.connections(), c.times(), c.retries());
  }

  private static UpstreamConfig with(UpstreamConfig c, Health health) {
    return new UpstreamConfig(
        c.servers(), c.balance(), Optional.of(health), c.passive(), c.tls(), c.connections(), c.times(), c.retries());
  }

  private static UpstreamConfig with(UpstreamConfig c, Passive passive) {
    return new UpstreamConfig(
        c.servers(), c.balance(), c.health(), passive, c.tls(), c.connections(), c.times(), c.retries());
  }

  private static UpstreamConfig with(UpstreamConfig c, List<Server> servers) {
    return new UpstreamConfig(
        servers, c.balance(), c.health(), c.passive(), c.tls(), c.connections(), c.times(), c.retries());
  }

  private static UpstreamConfig with(UpstreamConfig c, Times times) {
    return new UpstreamConfig(
        c.servers(), c.balance(), c.health(), c.passive(), c.tls(), c.connections(), times, c.retries());
  }

  private static UpstreamConfig with(UpstreamConfig c, Connections connections) {
    return new UpstreamConfig(
        c.servers(), c.balance(), c.health(), c.passive(), c.tls(), connections, c.times(), c.retries());
  }

  private static UpstreamConfig with(UpstreamConfig c, Retries retries) {
    return new UpstreamConfig(
        c.servers(), c.balance(), c.health(), c.passive(), c.tls(), c.connections(), c.times(), retries);
  }

  private static AppServer server(TestGateway gateway, RawApp app) {
    return gateway.upstreams().servers().stream()
        .filter(s -> s.id().equals("127.0.0.1:" + app.port()))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Integer> ask(TestGateway gateway, int times, String... lines) throws IOException {
    Map<String, Integer> bodies = new HashMap<>();
    try (RawClient client = gateway.connect()) {
      for (int i = 0; i < times; i++) {
        Response response = client.get("/public/" + i, lines).read();
        bodies.merge(response.status() == 200 ? response.body() : String.valueOf(response.status()), 1, Integer::sum);
      }
    }
    return bodies;
  }

  @Test
  void idleServersTakeTurns() throws IOException {
    UpstreamConfig app = UpstreamConfig.of(List.of(url(named("a")), url(named("b")), url(named("c"))));
    try (TestGateway gateway = TestGateway.before(app)) {
      assertThat(ask(gateway, 30)).isEqualTo(Map.of("a", 10, "b", 10, "c", 10));
    }
  }

  @Test
  void aBusyServerGetsLess() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    RawApp busy =
        app(
            (request, in, out, socket) -> {
              try {
                go.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              out.write(RawApp.ok("busy").getBytes(StandardCharsets.US_ASCII));
            });
    UpstreamConfig app = UpstreamConfig.of(List.of(url(busy), url(named("b"))));
    try (TestGateway gateway = TestGateway.before(app);
        RawClient one = gateway.connect()) {
      one.get("/public/");
      Eventually.holds(() -> server(gateway, busy).outstanding() == 1);
      assertThat(ask(gateway, 20)).isEqualTo(Map.of("b", 20));
      go.countDown();
      one.read();
      Eventually.holds(() -> server(gateway, busy).outstanding() == 0);
    }
  }

  @Test
  void backupsServeOnlyWhileNoOtherIsLeft() throws IOException {
    RawApp first = named("first");
    UpstreamConfig app =
        with(UpstreamConfig.of(url(first)), List.of(Server.of(url(first)), new Server(url(named("backup")), 1, true)));
    try (TestGateway gateway = TestGateway.before(app)) {
      assertThat(ask(gateway, 10)).isEqualTo(Map.of("first", 10));
      assertThat(gateway.upstreams().drain("127.0.0.1:" + first.port(), true)).isTrue();
      assertThat(ask(gateway, 10)).isEqualTo(Map.of("backup", 10));
    }
  }

  @Test
  void whereNothingWasSentEveryRequestGoesToAnotherServer() throws IOException {
    UpstreamConfig app = UpstreamConfig.of(List.of(nobody(), nobody(), url(named("alive"))));
    try (TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      for (int i = 0; i < 10; i++) {
        client.send("POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 2\r\n\r\nhi");
        assertThat(client.read().body()).isEqualTo("alive");
      }
    }
  }

  @Test
  void aPostThatWasSentIsNeverSentAgain() throws IOException {
    RawApp.Behaviour dying =
        (request, in, out, socket) -> {
          RawApp.readBody(request, in);
          socket.close();
        };
    RawApp one = app(dying);
    RawApp two = app(dying);
    try (TestGateway gateway = TestGateway.before(UpstreamConfig.of(List.of(url(one), url(two))));
        RawClient client = gateway.connect()) {
      client.send("POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 2\r\n\r\nhi");
      assertThat(client.read().status()).isEqualTo(502);
      assertThat(one.received().size() + two.received().size()).isEqualTo(1);
    }
  }

  @Test
  void nothingIsRepeatedOnceTheResponseHasBegun() throws IOException {
    RawApp.Behaviour half =
        (request, in, out, socket) -> {
          out.write("HTTP/1.1 200 OK\r\nContent-Le".getBytes(StandardCharsets.US_ASCII));
          out.flush();
          socket.close();
        };
    RawApp one = app(half);
    RawApp two = app(half);
    try (TestGateway gateway = TestGateway.before(UpstreamConfig.of(List.of(url(one), url(two))));
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().status()).isEqualTo(502);
      assertThat(one.received().size() + two.received().size()).isEqualTo(1);
    }
  }

  @Test
  void repeatsAreCounted() throws IOException {
    RawApp.Behaviour dying = (request, in, out, socket) -> socket.close();
    List<URI> servers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      servers.add(url(app(dying)));
    }
    try (TestGateway gateway = TestGateway.before(with(UpstreamConfig.of(servers), new Retries(2, 50)));
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().status()).isEqualTo(502);
      assertThat(apps.stream().mapToInt(app -> app.received().size()).sum()).isEqualTo(3);
    }
    apps.forEach(app -> app.received().clear());
    try (TestGateway gateway = TestGateway.before(with(UpstreamConfig.of(servers), new Retries(0, 50)));
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().status()).isEqualTo(502);
      assertThat(apps.stream().mapToInt(app -> app.received().size()).sum()).isEqualTo(1);
    }
  }

  /** 200 clients ask without end while one of three servers dies with all that runs on it. */
  @Test
  void twoHundredClientsLoseNothingThatIsSafeToRepeatWhileAServerDies() throws Exception {
    AtomicBoolean dead = new AtomicBoolean();
    RawApp.Behaviour slow =
        (request, in, out, socket) -> {
          pause(5);
          String path = request.requestLine().split(" ")[1];
          out.write(RawApp.ok(path).getBytes(StandardCharsets.US_ASCII));
          out.flush();
        };
    RawApp dying =
        app(
            (request, in, out, socket) -> {
              if (dead.get()) {
                socket.close();
                return;
              }
              slow.answer(request, in, out, socket);
            });
    RawApp second = app(slow);
    RawApp third = app(slow);
    UpstreamConfig app = UpstreamConfig.of(List.of(url(dying), url(second), url(third)));
    List<String> wrong = new CopyOnWriteArrayList<>();
    AtomicInteger asked = new AtomicInteger();
    try (TestGateway gateway = TestGateway.before(app)) {
      List<Thread> clients = new ArrayList<>();
      for (int c = 0; c < 200; c++) {
        int id = c;
        clients.add(Thread.ofVirtual().start(() -> askOn(gateway, id, asked, wrong)));
      }
      Eventually.holds(() -> asked.get() > 600);
      dead.set(true);
      Eventually.holds(() -> asked.get() > 1200);
      dying.close();
      for (Thread client : clients) {
        client.join();
      }
      assertThat(wrong).isEmpty();
      assertThat(asked).hasValue(200 * 15);
      assertThat(dying.received()).isNotEmpty();
      assertThat(server(gateway, dying).failures()).isPositive();
      assertThat(server(gateway, dying).outstanding()).isZero();
      assertThat(server(gateway, second).outstanding()).isZero();
    }
  }

  private static void askOn(TestGateway gateway, int id, AtomicInteger asked, List<String> wrong) {
    try (RawClient client = gateway.connect()) {
      for (int i = 0; i < 15; i++) {
        String path = "/public/" + id + "/" + i;
        Response response = client.get(path).read();
        if (response.status() != 200 || !response.body().equals(path)) {
          wrong.add(path + ": " + response);
        }
        asked.incrementAndGet();
      }
    } catch (IOException e) {
      wrong.add(id + ": " + e);
    }
  }

  private static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** They may tell of what is behind the app, for which no other server of it knows better. */
  @Test
  void anAppsOwn503TakesNoServerOutUnlessConfigured() throws Exception {
    RawApp busy = app((request, in, out, socket) -> {
      out.write("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
    });
    try (TestGateway gateway = TestGateway.before(UpstreamConfig.of(List.of(url(busy), url(named("b")))))) {
      assertThat(ask(gateway, 20)).isEqualTo(Map.of("503", 10, "b", 10));
      assertThat(server(gateway, busy).state(System.nanoTime())).isEqualTo(State.UP);
      assertThat(server(gateway, busy).failures()).isZero();
    }
  }

  @Test
  void aServerThatFailsIsLeftAloneAndTriedLater() throws Exception {
    AtomicBoolean ill = new AtomicBoolean(true);
    RawApp moody =
        app(
            (request, in, out, socket) -> {
              String answer = ill.get() ? "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n" : RawApp.ok("moody");
              out.write(answer.getBytes(StandardCharsets.US_ASCII));
              out.flush();
            });
    UpstreamConfig app = with(UpstreamConfig.of(List.of(url(moody), url(named("b")))), STRICT);
    try (TestGateway gateway = TestGateway.before(app)) {
      assertThat(ask(gateway, 10)).isEqualTo(Map.of("503", 2, "b", 8));
      assertThat(server(gateway, moody).state(System.nanoTime())).isEqualTo(State.OUT);
      ill.set(false);
      Eventually.holds(() -> server(gateway, moody).state(System.nanoTime()) == State.ON_TRIAL);
      assertThat(ask(gateway, 1)).isEqualTo(Map.of("moody", 1));
      assertThat(server(gateway, moody).state(System.nanoTime())).isEqualTo(State.UP);
    }
  }

  @Test
  void whereAllFailedRequestsGoOnBeingTried() throws IOException {
    UpstreamConfig app = with(UpstreamConfig.of(List.of(nobody(), nobody())), STRICT);
    try (TestGateway gateway = TestGateway.before(app)) {
      assertThat(ask(gateway, 10)).isEqualTo(Map.of("502", 10));
    }
  }

  @Test
  void healthChecksTakeAServerOutAndLetItBackIn() throws Exception {
    AtomicBoolean well = new AtomicBoolean(true);
    RawApp.Behaviour checked =
        (request, in, out, socket) -> {
          boolean health = request.requestLine().startsWith("GET /health?deep ");
          String answer = health && !well.get() ? "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n" : RawApp.ok("ok");
          out.write(answer.getBytes(StandardCharsets.US_ASCII));
          out.flush();
        };
    RawApp one = app(checked);
    Health health = new Health("/health?deep", Duration.ofMillis(100), Duration.ofSeconds(1), 200, 299, 2, 2);
    try (TestGateway gateway = TestGateway.before(with(UpstreamConfig.of(url(one)), health));
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().status()).isEqualTo(200);
      well.set(false);
      Eventually.holds(() -> server(gateway, one).state(System.nanoTime()) == State.DOWN);
      Response none = client.get("/public/").read();
      assertThat(none.status()).isEqualTo(503);
      assertThat(none.body()).contains("upstream-unavailable");
      well.set(true);
      Eventually.holds(() -> server(gateway, one).state(System.nanoTime()) == State.UP);
      assertThat(client.get("/public/").read().status()).isEqualTo(200);
      assertThat(one.received().stream().filter(r -> r.requestLine().contains("health")))
          .allSatisfy(r -> assertThat(r.has("Host: 127.0.0.1:" + one.port())).isTrue());
    }
  }

  @Test
  void aServerThatHangsFailsItsHealthChecks() throws Exception {
    RawApp hanging = app((request, in, out, socket) -> in.read());
    Health health = new Health("/", Duration.ofMillis(100), Duration.ofMillis(200), 200, 299, 1, 1);
    try (TestGateway gateway = TestGateway.before(with(UpstreamConfig.of(url(hanging)), health))) {
      Eventually.holds(() -> server(gateway, hanging).state(System.nanoTime()) == State.DOWN);
    }
  }

  @Test
  void aHealthCheckHasItsTimeForTheHandshakeToo() throws Exception {
    RawApp silent = app((request, in, out, socket) -> pause(10_000));
    Health health = new Health("/", Duration.ofMillis(100), Duration.ofMillis(1500), 200, 299, 1, 1);
    UpstreamConfig secure = UpstreamConfig.of(URI.create("https://127.0.0.1:" + silent.port()));
    long begin = System.nanoTime();
    try (TestGateway gateway = TestGateway.before(with(secure, health))) {
      Eventually.holds(() -> server(gateway, silent).state(System.nanoTime()) == AppServer.State.DOWN);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(1400));
    }
  }

  @Test
  void nothingIsLeftOfConnectionsThatCameToNothing() throws Exception {
    try (TestGateway gateway = TestGateway.before(UpstreamConfig.of(nobody()))) {
      assertThat(ask(gateway, 20)).containsOnlyKeys("502");
      Eventually.holds(() -> gateway.server().loops().stream().allMatch(loop -> watched(loop) == 0));
    }
  }

  @Test
  void oneConnectionThatCannotBeLookedAfterTakesNoDeadlinesFromOthers() throws Exception {
    RawApp app = named("ok");
    try (TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient)) {
      for (GatewayEventLoop loop : gateway.server().loops()) {
        loop.executor().submit(() -> loop.watch(new Broken())).sync();
      }
      Thread.sleep(600);
      try (RawClient idle = gateway.connect()) {
        assertThat(idle.get("/public/").read().body()).isEqualTo("ok");
        assertThat(idle.isClosed()).isTrue();
      }
    }
  }

  private static final class Broken implements WatchedConnection {
    @Override
    public void check(long now) {
      throw new IllegalStateException("The test broke this connection");
    }

    @Override
    public void drain() {}
  }

  private static int watched(GatewayEventLoop loop) {
    return loop.executor().submit(loop::watched).syncUninterruptibly().getNow();
  }

  @Test
  void aDrainedServerEndsWhatItHasBegun() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    RawApp leaving =
        app(
            (request, in, out, socket) -> {
              try {
                go.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              out.write(RawApp.ok("leaving").getBytes(StandardCharsets.US_ASCII));
            });
    UpstreamConfig app = UpstreamConfig.of(List.of(url(leaving), url(named("b"))));
    try (TestGateway gateway = TestGateway.before(app);
        RawClient running = gateway.connect()) {
      String id = "127.0.0.1:" + leaving.port();
      running.get("/public/");
      Eventually.holds(() -> leaving.received().size() == 1);
      gateway.upstreams().drain(id, true);
      assertThat(ask(gateway, 10)).isEqualTo(Map.of("b", 10));
      // A reload changes nothing about it.
      gateway.realms().set(TestGateway.realm(app));
      assertThat(ask(gateway, 10)).isEqualTo(Map.of("b", 10));
      assertThat(server(gateway, leaving).state(System.nanoTime())).isEqualTo(State.DRAINING);
      go.countDown();
      assertThat(running.read().status()).isEqualTo(200);
      gateway.upstreams().drain(id, false);
      assertThat(server(gateway, leaving).state(System.nanoTime())).isEqualTo(State.UP);
      assertThat(gateway.upstreams().drain("127.0.0.1:1", true)).isFalse();
    }
  }

  @Test
  void aReloadKeepsTheConnectionsOfServersThatStay() throws Exception {
    RawApp staying = named("staying");
    RawApp going = named("going");
    UpstreamConfig both = UpstreamConfig.of(List.of(url(staying), url(going)));
    try (TestGateway gateway = TestGateway.before(both);
        RawClient client = gateway.connect()) {
      for (int i = 0; i < 10; i++) {
        client.get("/public/").read();
      }
      AppServer before = server(gateway, staying);
      gateway.realms().set(TestGateway.realm(UpstreamConfig.of(url(staying))));
      for (int i = 0; i < 10; i++) {
        assertThat(client.get("/public/").read().body()).isEqualTo("staying");
      }
      assertThat(server(gateway, staying)).isSameAs(before);
      assertThat(staying.connections()).isEqualTo(1);
      assertThat(gateway.upstreams().servers()).hasSize(1);
    }
  }

  @Test
  void aLostServerMovesOnlyItsOwnPeople() throws IOException {
    RawApp a = named("a");
    RawApp b = named("b");
    RawApp c = named("c");
    UpstreamConfig app = with(UpstreamConfig.of(List.of(url(a), url(b), url(c))), new Balance.ByCookie("sid"));
    try (TestGateway gateway = TestGateway.before(app)) {
      Map<Integer, String> before = placed(gateway);
      assertThat(before.values()).contains("a", "b", "c");
      assertThat(placed(gateway)).isEqualTo(before);
      gateway.upstreams().drain("127.0.0.1:" + b.port(), true);
      Map<Integer, String> without = placed(gateway);
      before.forEach((person, server) -> {
        if (!server.equals("b")) {
          assertThat(without).containsEntry(person, server);
        }
      });
      assertThat(without.values()).doesNotContain("b");
      gateway.upstreams().drain("127.0.0.1:" + b.port(), false);
      assertThat(placed(gateway)).isEqualTo(before);
    }
  }

  private static Map<Integer, String> placed(TestGateway gateway) throws IOException {
    Map<Integer, String> placed = new HashMap<>();
    try (RawClient client = gateway.connect()) {
      for (int person = 0; person < 40; person++) {
        placed.put(person, client.get("/public/", "Cookie: x=1; sid=person" + person).read().body());
      }
    }
    return placed;
  }

  @Test
  void sessionsStayWithTheirServer() throws IOException {
    UpstreamConfig app =
        with(UpstreamConfig.of(List.of(url(named("a")), url(named("b")), url(named("c")))), new Balance.BySession());
    try (TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      Map<String, Integer> servers = new HashMap<>();
      for (int person = 0; person < 20; person++) {
        String cookie = "Cookie: gh_app=" + gateway.sessions().open("p" + person, List.of(), List.of());
        String first = client.get("/", cookie).read().body();
        assertThat(client.get("/x", cookie).read().body()).isEqualTo(first);
        servers.merge(first, 1, Integer::sum);
      }
      assertThat(servers).hasSizeGreaterThan(1);
    }
  }

  @Test
  void noServerGetsMoreAtOnceThanItTakes() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    RawApp small =
        app(
            (request, in, out, socket) -> {
              try {
                go.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              out.write(RawApp.ok("ok").getBytes(StandardCharsets.US_ASCII));
            });
    UpstreamConfig app = with(UpstreamConfig.of(url(small)), new Connections(1, Optional.empty(), Optional.empty()));
    try (TestGateway gateway = TestGateway.before(app);
        RawClient first = gateway.connect();
        RawClient second = gateway.connect()) {
      first.get("/public/");
      Eventually.holds(() -> small.received().size() == 1);
      assertThat(second.get("/public/").read().status()).isEqualTo(503);
      go.countDown();
      assertThat(first.read().status()).isEqualTo(200);
    }
  }

  private static Times times(Duration firstByte, Duration betweenBytes, Duration whole) {
    return new Times(
        Optional.empty(), Optional.empty(), Optional.of(firstByte), Optional.of(betweenBytes), Optional.of(whole));
  }

  @Test
  void eachPhaseHasItsTime() throws IOException {
    Duration soon = Duration.ofMillis(300);
    Duration late = Duration.ofSeconds(30);
    RawApp silent = app((request, in, out, socket) -> in.read());
    UpstreamConfig noHead = with(UpstreamConfig.of(url(silent)), times(soon, late, late));
    try (TestGateway gateway = TestGateway.before(noHead)) {
      assertThat(ask(gateway, 1)).isEqualTo(Map.of("504", 1));
    }
    RawApp stalling =
        app(
            (request, in, out, socket) -> {
              out.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello".getBytes(StandardCharsets.US_ASCII));
              out.flush();
              in.read();
            });
    try (TestGateway gateway = TestGateway.before(with(UpstreamConfig.of(url(stalling)), times(late, soon, late)));
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().complete()).isFalse();
    }
    RawApp dripping =
        app(
            (request, in, out, socket) -> {
              out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
              for (int i = 0; i < 1000; i++) {
                out.write('x');
                out.flush();
                pause(20);
              }
            });
    try (TestGateway gateway = TestGateway.before(with(UpstreamConfig.of(url(dripping)), times(late, late, soon)));
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().complete()).isFalse();
    }
  }

  @Test
  void serversThatLieAndDieNeverMixPeoplesBytes() throws Exception {
    RawApp.Behaviour moody =
        (request, in, out, socket) -> {
          String path = request.requestLine().split(" ")[1];
          int number = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
          String answer =
              switch (number % 4) {
                case 0 -> "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + path;
                case 1 -> RawApp.ok(path) + RawApp.ok("poison");
                default -> RawApp.ok(path);
              };
          out.write(answer.getBytes(StandardCharsets.US_ASCII));
          out.flush();
          if (number % 4 == 0) {
            socket.close();
          }
        };
    UpstreamConfig app =
        with(
            UpstreamConfig.of(List.of(url(app(moody)), url(app(moody)), url(app(moody)))),
            new Passive(0, Duration.ofSeconds(1), Duration.ofSeconds(1), Set.of()));
    List<String> wrong = new CopyOnWriteArrayList<>();
    try (TestGateway gateway = TestGateway.before(app)) {
      List<Thread> clients = new ArrayList<>();
      for (int c = 0; c < 12; c++) {
        int id = c;
        clients.add(Thread.ofVirtual().start(() -> askMoody(gateway, id, wrong)));
      }
      for (Thread client : clients) {
        client.join();
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static void askMoody(TestGateway gateway, int id, List<String> wrong) {
    for (int i = 0; i < 40; i++) {
      String path = "/public/" + id + "/" + i;
      try (RawClient client = gateway.connect()) {
        Response response = client.get(path).read();
        if (!response.body().equals(path) || response.complete() == (i % 4 == 0)) {
          wrong.add(path + ": " + response);
        }
      } catch (IOException e) {
        wrong.add(path + ": " + e);
      }
    }
  }
}
