package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.gateway.netty.RawClient.Response;
import dev.gatehouse.gateway.websocket.TestSocketApp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets through the gateway (RFC 6455); SECURITY-CASES 53 and 62. */
@Timeout(60)
class WebSocketTest {

  private static final String ORIGIN = "Origin: http://app.localhost";
  private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  private static final String[] ASKED = {
    "Connection: keep-alive, Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", KEY, ORIGIN
  };

  /** What a client hears, as text; a close is {@code close CODE REASON}. */
  private static final class Heard implements WebSocket.Listener {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        events.add(text.toString());
        text.setLength(0);
      }
      socket.request(1);
      return CompletableFuture.completedFuture("");
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      events.add("binary " + data.remaining() + " " + last);
      socket.request(1);
      return CompletableFuture.completedFuture("");
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      events.add("close " + code + " " + reason);
      return CompletableFuture.completedFuture("");
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      events.add("error");
    }

    String next() throws InterruptedException {
      return String.valueOf(events.poll(10, TimeUnit.SECONDS));
    }
  }

  /** The JDK's client, whose own close would wait for sockets that stay open. */
  private record Sockets(HttpClient client) implements AutoCloseable {
    Sockets() {
      this(HttpClient.newHttpClient());
    }

    @Override
    public void close() {
      client.shutdownNow();
    }
  }

  /** The JDK's own client: the request goes to the gateway's port, the Host field names the app. */
  private static WebSocket connect(Sockets http, TestGateway gateway, String path, Heard heard, String... headers) {
    WebSocket.Builder builder = http.client().newWebSocketBuilder().header("Host", "app.localhost");
    for (int i = 0; i < headers.length; i += 2) {
      builder.header(headers[i], headers[i + 1]);
    }
    return builder.buildAsync(URI.create("ws://127.0.0.1:" + gateway.port() + path), heard).join();
  }

  private static Response handshake(TestGateway gateway, String path, String... lines) throws IOException {
    try (RawClient client = gateway.connect()) {
      return client.get(path, lines).read();
    }
  }

  @Test
  void whatAClientSaysComesBackFromAnEchoInTextAndInLargeBinaryMessages() throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.before(app.port(), l -> l);
        Sockets http = new Sockets()) {
      Heard heard = new Heard();
      WebSocket socket = connect(http, gateway, "/public/echo?room=1", heard);
      socket.sendText("hello, wörld", true).join();
      assertThat(heard.next()).isEqualTo("hello, wörld");
      socket.sendBinary(ByteBuffer.allocate(3_000_000), true).join();
      long bytes = 0;
      String event;
      do {
        event = heard.next();
        bytes += Long.parseLong(event.split(" ")[1]);
      } while (event.endsWith("false"));
      assertThat(bytes).isEqualTo(3_000_000);
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "bye").join();
      assertThat(heard.next()).isEqualTo("close 1000 bye");
      assertThat(app.requests().getFirst()).startsWith("GET /public/echo?room=1 HTTP/1.1\r\n");
    }
  }

  @Test
  void theHandshakeGoesThroughSessionPolicyAndInjection() throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.before(app.port(), l -> l);
        Sockets http = new Sockets()) {
      String cookie = "gh_app=" + gateway.sessions().open("alice", List.of("employee"), List.of("staff"));
      Heard heard = new Heard();
      connect(http, gateway, "/socket", heard, "Cookie", cookie, "Origin", "http://app.localhost", "Remote-User", "mallory")
          .sendText("x", true);
      assertThat(heard.next()).isEqualTo("x");
      assertThat(app.requests().getFirst()).contains("Remote-User: alice\r\n").doesNotContain("mallory", "gh_app");
      assertThat(status(http, gateway, "/manager/socket", "Cookie", cookie, "Origin", "http://app.localhost")).isEqualTo(403);
      assertThat(gateway.denials()).containsExactly("ROLE_MISSING");
      // Nobody is there to be sent to a login page.
      assertThat(gateway.serviceProvider().challenged()).isEmpty();
      status(http, gateway, "/socket");
      assertThat(gateway.serviceProvider().challenged()).hasSize(1);
      assertThat(app.requests()).hasSize(1);
    }
  }

  private static int status(Sockets http, TestGateway gateway, String path, String... headers) {
    try {
      connect(http, gateway, path, new Heard(), headers);
      return 101;
    } catch (CompletionException e) {
      return e.getCause() instanceof WebSocketHandshakeException refused ? refused.getResponse().statusCode() : 0;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://evil.example", "https://app.localhost", "http://app.localhost:8080", "http://app.localhost.evil.example",
        "null", "http://app.localhost/", "HTTP://APP.LOCALHOST", "http://app.localhost,http://app.localhost", "app.localhost"
      })
  void aPageOfAnotherOriginOpensNothing(String origin) throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.before(app.port(), l -> l)) {
      String cookie = gateway.sessions().open("alice", List.of(), List.of());
      Response response =
          handshake(
              gateway, "/socket", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", KEY,
              "Origin: " + origin, "Cookie: gh_app=" + cookie);
      assertThat(response.status()).isEqualTo(403);
      assertThat(gateway.denials()).containsExactly("WEBSOCKET_ORIGIN");
      assertThat(app.requests()).isEmpty();
    }
  }

  @Test
  void whoSendsCookiesWithoutOriginOpensNothingAndWhoSendsNeitherDoes() throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.before(app.port(), l -> l)) {
      String[] bare = {"Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", KEY};
      assertThat(handshake(gateway, "/public/", bare).status()).isEqualTo(101);
      String[] cookies = {"Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", KEY, "Cookie: a=b"};
      assertThat(handshake(gateway, "/public/", cookies).status()).isEqualTo(403);
      assertThat(gateway.denials()).containsExactly("WEBSOCKET_ORIGIN");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET|Sec-WebSocket-Key: short", "GET|Sec-WebSocket-Key: " + "!!!!!!!!!!!!!!!!!!!!!!==", "GET|No-Key: x",
        "GET|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "POST|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "GET|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nTransfer-Encoding: chunked",
        "GET|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nContent-Length: 5"
      })
  void aHandshakeThatIsNotAsItShouldBeIs400(String wrong) throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.before(app.port(), l -> l);
        RawClient client = gateway.connect()) {
      String[] parts = wrong.split("\\|");
      client.send(
          parts[0] + " /public/ HTTP/1.1\r\nHost: app.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
              + "Sec-WebSocket-Version: 13\r\n" + parts[1] + "\r\n\r\n");
      assertThat(client.read().status()).isEqualTo(400);
      assertThat(gateway.denials()).containsExactly("WEBSOCKET_HANDSHAKE");
      assertThat(app.requests()).isEmpty();
    }
  }

  @Test
  void anotherVersionIsToldTheRightOne() throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.before(app.port(), l -> l)) {
      Response response =
          handshake(gateway, "/public/", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 8", KEY);
      assertThat(response.status()).isEqualTo(426);
      assertThat(response.field("Sec-WebSocket-Version")).contains("13");
      assertThat(gateway.denials()).containsExactly("WEBSOCKET_VERSION");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: Upgrade\r\nUpgrade: h2c", "Connection: Upgrade\r\nUpgrade: websocket, h2c",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nUpgrade: TLS/1.3", "Upgrade: websocket",
        "Connection: Upgrade\r\nUpgrade: websocket/13"
      })
  void everyOtherUpgradeStaysStripped(String lines) throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("plain"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/", lines, "Sec-WebSocket-Version: 13", KEY);
      assertThat(client.read().body()).isEqualTo("plain");
      assertThat(app.only().head()).doesNotContainIgnoringCase("upgrade:").doesNotContainIgnoringCase("connection:");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Upgrade: websocket\r\nConnection: Upgrade", // no Sec-WebSocket-Accept
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "Connection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        "Upgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        "Upgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nContent-Length: 5",
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
            + "Sec-WebSocket-Protocol: unasked"
      })
  void anAppsSwitchThatWasNotAskedForSoIsA502(String fields) throws Exception {
    try (RawApp app = RawApp.answering("HTTP/1.1 101 Switching Protocols\r\n" + fields + "\r\n\r\n");
        TestGateway gateway = TestGateway.before(app)) {
      assertThat(handshake(gateway, "/public/", ASKED).status()).isEqualTo(502);
    }
  }

  @Test
  void anAppThatDoesNotSwitchAnswersAsUsual() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("no sockets here"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/", ASKED).read().body()).isEqualTo("no sockets here");
      // The client's connection is HTTP's as before, the app's is not used again.
      assertThat(client.get("/public/").read().body()).isEqualTo("no sockets here");
      assertThat(app.connections()).isEqualTo(2);
    }
  }

  @Test
  void bytesAfterTheUpgradeAreNeverReadAsHttp() throws Exception {
    String http = "GET /manager/ HTTP/1.1\r\nHost: app.localhost\r\n\r\n";
    String accepted =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: upgrade\r\n"
            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
    RawApp.Behaviour behaviour =
        (request, in, out, socket) -> {
          // What follows the 101 at once belongs to the tunnel, too.
          out.write((accepted + "hello").getBytes(StandardCharsets.ISO_8859_1));
          byte[] got = in.readNBytes(http.length());
          out.write(got);
          out.flush();
          socket.close();
        };
    try (RawApp app = new RawApp(behaviour);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String head = "GET /public/ HTTP/1.1\r\nHost: app.localhost\r\n" + String.join("\r\n", ASKED) + "\r\n\r\n";
      // Sent ahead, together with the handshake.
      client.send(head + http);
      assertThat(client.read().status()).isEqualTo(101);
      assertThat(client.rest()).isEqualTo("hello" + http);
      assertThat(gateway.denials()).isEmpty();
      assertThat(app.received()).hasSize(1);
    }
  }

  @Test
  void aSessionThatEndsClosesItsTunnelsWithinASecondOrSo() throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.before(app.port(), l -> l);
        Sockets http = new Sockets()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      String bob = gateway.sessions().open("bob", List.of(), List.of());
      Heard ofAlice = new Heard();
      Heard ofBob = new Heard();
      connect(http, gateway, "/a", ofAlice, "Cookie", "gh_app=" + alice, "Origin", "http://app.localhost");
      WebSocket stays = connect(http, gateway, "/b", ofBob, "Cookie", "gh_app=" + bob, "Origin", "http://app.localhost");
      long before = System.nanoTime();
      gateway.sessions().end(alice);
      assertThat(ofAlice.next()).isEqualTo("close 1008 session ended");
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(3));
      stays.sendText("still here", true).join();
      assertThat(ofBob.next()).isEqualTo("still here");
      app.awaitClosed(1, "1008");
    }
  }

  @Test
  void whatARouteNoLongerPermitsClosesItsTunnels() throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.before(app.port(), l -> l);
        Sockets http = new Sockets()) {
      String alice = gateway.sessions().open("alice", List.of("manager"), List.of());
      String[] headers = {"Cookie", "gh_app=" + alice, "Origin", "http://app.localhost"};
      Heard ofManager = new Heard();
      Heard ofPerson = new Heard();
      Heard ofAnybody = new Heard();
      connect(http, gateway, "/manager/a", ofManager, headers);
      WebSocket ofPersons = connect(http, gateway, "/a", ofPerson, headers);
      WebSocket publicly = connect(http, gateway, "/public/a", ofAnybody);
      gateway.sessions().change(alice, List.of("employee"));
      assertThat(ofManager.next()).isEqualTo("close 1008 session ended");
      ofPersons.sendText("still here", true).join();
      assertThat(ofPerson.next()).isEqualTo("still here");
      publicly.sendText("here, too", true).join();
      assertThat(ofAnybody.next()).isEqualTo("here, too");
      gateway.realms().set();
      assertThat(ofPerson.next()).isEqualTo("close 1008 session ended");
      assertThat(ofAnybody.next()).isEqualTo("close 1008 session ended");
    }
  }

  @Test
  void aLoginThatIsTooLongAgoForTheRouteClosesItsTunnels() throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.of(WebSocketRoutes.anHour(app.port()));
        Sockets http = new Sockets()) {
      String alice =
          gateway.sessions().open("alice", List.of(), List.of(), java.util.Map.of(), gateway.time().instant());
      Heard heard = new Heard();
      WebSocket socket =
          connect(http, gateway, "/hour/a", heard, "Cookie", "gh_app=" + alice, "Origin", "http://app.localhost");
      gateway.time().advance(Duration.ofMinutes(59));
      socket.sendText("still here", true).join();
      assertThat(heard.next()).isEqualTo("still here");
      gateway.time().advance(Duration.ofMinutes(1));
      assertThat(heard.next()).isEqualTo("close 1008 session ended");
    }
  }

  @Test
  void anIdleTunnelIsClosedAndOneThatSaysSomethingIsNot() throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.of(WebSocketRoutes.realm(app.port(), Duration.ofSeconds(1)));
        Sockets http = new Sockets()) {
      Heard quiet = new Heard();
      Heard busy = new Heard();
      connect(http, gateway, "/public/", quiet);
      WebSocket talks = connect(http, gateway, "/public/", busy);
      for (int i = 0; i < 6; i++) {
        talks.sendText("tick", true).join();
        assertThat(busy.next()).isEqualTo("tick");
        Thread.sleep(400);
      }
      assertThat(quiet.next()).isEqualTo("close 1001 going away");
      assertThat(busy.events).isEmpty();
    }
  }

  @Test
  void aRouteMayNameOtherOriginsThatOpenWebSockets() throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.of(WebSocketRoutes.realm(app.port(), Duration.ofMinutes(1)));
        Sockets http = new Sockets()) {
      assertThat(status(http, gateway, "/public/", "Origin", "https://pages.example", "Cookie", "a=b")).isEqualTo(101);
      assertThat(status(http, gateway, "/public/", "Origin", "https://other.example", "Cookie", "a=b")).isEqualTo(403);
    }
  }

  @Test
  void aGatewayThatStopsSaysGoingAway() throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.before(app.port(), l -> l);
        Sockets http = new Sockets()) {
      Heard heard = new Heard();
      connect(http, gateway, "/public/", heard).sendText("x", true).join();
      assertThat(heard.next()).isEqualTo("x");
      gateway.server().stop();
      assertThat(heard.next()).isEqualTo("close 1001 going away");
      app.awaitClosed(1, "1001");
    }
  }

  @Test
  void aTunnelCountsAsAConnectionUntilItEnds() throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.before(app.port(), l -> l)) {
      RawClient client = gateway.connect();
      assertThat(client.get("/public/", ASKED).read().status()).isEqualTo(101);
      assertThat(gateway.meters().get("gatehouse.gateway.connections").gauge().value()).isEqualTo(1);
      client.close();
      for (int i = 0; i < 100 && gateway.meters().get("gatehouse.gateway.connections").gauge().value() > 0; i++) {
        Thread.sleep(20);
      }
      assertThat(gateway.meters().get("gatehouse.gateway.connections").gauge().value()).isZero();
      app.awaitClosed(1, "end");
    }
  }

  @Test
  void aSideThatTakesNothingStopsTheOtherAndIsCutAfterAWhile() throws Exception {
    try (TestSocketApp app = TestSocketApp.flooding();
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      client.socket().setReceiveBufferSize(4096);
      assertThat(client.get("/public/", ASKED).read().status()).isEqualTo(101);
      app.awaitClosed(1, "broken");
      assertThat(app.written()).isLessThan(60L << 20);
    }
  }

  @Test
  void anUnreadableStoreEndsTheTunnel() throws Exception {
    try (TestSocketApp app = TestSocketApp.echo();
        TestGateway gateway = TestGateway.before(app.port(), l -> l);
        Sockets http = new Sockets()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      Heard heard = new Heard();
      connect(http, gateway, "/a", heard, "Cookie", "gh_app=" + alice, "Origin", "http://app.localhost");
      gateway.sessions().breakDown();
      gateway.sessions().forget(alice);
      assertThat(heard.next()).isEqualTo("close 1008 session ended");
    }
  }

  @Test
  void withoutAnAppThereIsNoTunnel() {
    assertThatThrownBy(
            () -> {
              try (TestGateway gateway = TestGateway.before(1, l -> l);
                  Sockets http = new Sockets()) {
                connect(http, gateway, "/public/", new Heard());
              }
            })
        .hasCauseInstanceOf(WebSocketHandshakeException.class);
  }
}
