package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.netty.RawHttp2.Response;
import dev.gatehouse.gateway.netty.http2.Http2Codec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** SECURITY-CASES 54 and 61: what HTTP/2 can say and HTTP/1.1 cannot, and what only keeps us busy. */
@Timeout(60)
class Http2AttackTest {

  private static RawApp app;
  private static TestGateway gateway;

  @BeforeAll
  static void start() throws IOException {
    app =
        new RawApp(
            (request, in, out, socket) -> {
              if (!request.requestLine().contains("/never")) {
                RawApp.readBody(request, in);
                out.write(RawApp.ok("reached").getBytes(java.nio.charset.StandardCharsets.US_ASCII));
              } else {
                in.read();
              }
            });
    gateway = TestGateway.before(app.port(), TestGateway::impatient);
  }

  @AfterAll
  static void stop() throws IOException {
    gateway.close();
    app.close();
  }

  @BeforeEach
  void forget() {
    gateway.audit().clear();
  }

  private static Arguments reset(String name, String reason, String... fields) {
    return Arguments.of(name, reason, fields);
  }

  private static Arguments get(String name, String reason, String... more) {
    return reset(name, reason, RawHttp2.request("GET", "/public/", more));
  }

  private static String[] without(String pseudo) {
    List<String> fields = new ArrayList<>(List.of(RawHttp2.request("GET", "/public/")));
    int at = fields.indexOf(pseudo);
    fields.subList(at, at + 2).clear();
    return fields.toArray(new String[0]);
  }

  private static String[] with(String pseudo, String value) {
    String[] fields = RawHttp2.request("GET", "/public/");
    for (int i = 0; i < fields.length; i += 2) {
      fields[i + 1] = fields[i].equals(pseudo) ? value : fields[i + 1];
    }
    return fields;
  }

  static Stream<Arguments> downgrades() {
    String smuggled = "x\r\n\r\nGET /manager/ HTTP/1.1\r\nHost: app.localhost\r\n\r\n";
    return Stream.of(
        // 54: what would become another request, or another framing, in HTTP/1.1
        get("encoding", "CONNECTION_FIELD", "transfer-encoding", "chunked"),
        get("connection", "CONNECTION_FIELD", "connection", "x-identity"),
        get("keep-alive", "CONNECTION_FIELD", "keep-alive", "timeout=5"),
        get("proxy-connection", "CONNECTION_FIELD", "proxy-connection", "keep-alive"),
        get("upgrade", "CONNECTION_FIELD", "upgrade", "websocket"),
        get("settings of an upgrade", "CONNECTION_FIELD", "http2-settings", "AAMAAABk"),
        get("te", "CONNECTION_FIELD", "te", "gzip"),
        get("te and more", "CONNECTION_FIELD", "te", "trailers, chunked"),
        get("line end in a value", "FIELD_VALUE", "x-a", smuggled),
        get("LF in a value", "FIELD_VALUE", "x-a", "x\nHost: evil"),
        get("CR in a value", "FIELD_VALUE", "x-a", "x\ry"),
        get("NUL in a value", "FIELD_VALUE", "x-a", "x\0y"),
        get("space before a value", "FIELD_VALUE", "x-a", " x"),
        get("space behind a value", "FIELD_VALUE", "x-a", "x\t"),
        get("line end in a cookie", "FIELD_VALUE", "cookie", "a=" + smuggled),
        get("upper case", "FIELD_NAME", "X-A", "b"),
        get("upper-case encoding", "FIELD_NAME", "Transfer-Encoding", "chunked"),
        get("colon in a name", "FIELD_NAME", "x-a:b", "c"),
        get("line end in a name", "FIELD_NAME", "x-a\r\ntransfer-encoding", "chunked"),
        get("space in a name", "FIELD_NAME", "x a", "b"),
        get("no name", "FIELD_NAME", "", "b"),
        get("two lengths", "CONTENT_LENGTH_REPEATED", "content-length", "0", "content-length", "0"),
        get("signed length", "CONTENT_LENGTH", "content-length", "+0"),
        get("a length and no body", "LENGTH_OF_DATA", "content-length", "5"),
        get("another host", "AUTHORITY", "host", "evil.localhost"),
        get("two hosts", "HOST_REPEATED", "host", "app.localhost", "host", "app.localhost"),
        reset("space in the method", "PSEUDO_FIELD", with(":method", "GET /manager/ HTTP/1.1\r\nx:")),
        reset("no token as method", "METHOD", with(":method", "GET/x")),
        reset("line end in the path", "PSEUDO_FIELD", with(":path", "/ HTTP/1.1\r\nHost: evil\r\n\r\n")),
        reset("space in the path", "PSEUDO_FIELD", with(":path", "/public/ HTTP/1.1")),
        reset("absolute path", "PSEUDO_FIELD", with(":path", "http://evil.localhost/public/")),
        reset("asterisk", "PSEUDO_FIELD", with(":path", "*")),
        reset("empty path", "PSEUDO_FIELD", with(":path", "")),
        reset("line end in the authority", "PSEUDO_FIELD", with(":authority", "app.localhost\r\nx: y")),
        reset("another scheme", "PSEUDO_FIELD", with(":scheme", "gopher")),
        reset("scheme with a line end", "PSEUDO_FIELD", with(":scheme", "http://evil\r\n")),
        reset("no method", "PSEUDO_FIELD", without(":method")),
        reset("no path", "PSEUDO_FIELD", without(":path")),
        reset("no scheme", "PSEUDO_FIELD", without(":scheme")),
        reset("no authority", "HOST_MISSING", without(":authority")),
        get("pseudo field behind others", "PSEUDO_FIELD", "x-a", "b", ":path", "/manager/"),
        get("two paths", "PSEUDO_FIELD", ":path", "/manager/"),
        get("two methods", "PSEUDO_FIELD", ":method", "POST"),
        get("two authorities", "PSEUDO_FIELD", ":authority", "app.localhost"),
        get("unknown pseudo field", "PSEUDO_FIELD", ":protocol", "websocket"),
        get("pseudo field of responses", "PSEUDO_FIELD", ":status", "200"),
        reset("upper-case pseudo field", "PSEUDO_FIELD", ":Method", "GET", ":scheme", "http", ":authority", "app.localhost", ":path", "/public/"),
        reset("CONNECT", "PSEUDO_FIELD", ":method", "CONNECT", ":authority", "app.localhost:80"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("downgrades")
  void isResetAndReachesNoApp(String name, String reason, String[] fields) throws Exception {
    int before = app.received().size();
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      assertThat(client.headers(1, true, fields).response(1).reset()).contains(RawHttp2.PROTOCOL_ERROR);
      // The connection and other streams are not affected.
      assertThat(client.get(3, "/public/").response(3).body()).isEqualTo("reached");
    }
    awaitDenial(reason);
    assertThat(gateway.denials()).containsExactly(reason);
    assertThat(app.received()).hasSize(before + 1);
  }

  private static void awaitDenial(String reason) throws InterruptedException {
    for (int i = 0; i < 200 && !gateway.denials().contains(reason); i++) {
      Thread.sleep(10);
    }
  }

  @Test
  void aLengthThatLiesAboutTheBodyIsReset() throws Exception {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      client.headers(1, false, RawHttp2.request("POST", "/public/", "content-length", "5")).data(1, true, "hello!");
      assertThat(client.response(1).reset()).contains(RawHttp2.PROTOCOL_ERROR);
      client.headers(3, false, RawHttp2.request("POST", "/public/", "content-length", "5")).data(3, true, "hell");
      assertThat(client.response(3).reset()).contains(RawHttp2.PROTOCOL_ERROR);
      client.headers(5, false, RawHttp2.request("POST", "/public/", "content-length", "0")).data(5, true, "x");
      assertThat(client.response(5).reset()).contains(RawHttp2.PROTOCOL_ERROR);
      client.headers(7, false, RawHttp2.request("POST", "/public/", "content-length", "5")).data(7, false, "hell");
      client.headers(7, true, "x-trailer", "y");
      assertThat(client.response(7).reset()).contains(RawHttp2.PROTOCOL_ERROR);
    }
    awaitDenial("LENGTH_OF_DATA");
    assertThat(gateway.denials()).containsOnly("LENGTH_OF_DATA");
  }

  @Test
  void otherRefusalsAreAnswered() throws IOException {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      assertThat(client.headers(1, true, RawHttp2.request("TRACE", "/public/")).response(1).status()).isEqualTo(405);
      assertThat(client.get(3, "/public/" + "a".repeat(9000)).response(3).status()).isEqualTo(414);
      assertThat(client.get(5, "/public/", "expect", "200-maybe").response(5).status()).isEqualTo(417);
      assertThat(client.get(7, "/public/%2f").response(7).status()).isEqualTo(400);
      assertThat(client.headers(9, true, with(":authority", "user@app.localhost")).response(9).status()).isEqualTo(400);
      assertThat(client.headers(11, true, with(":authority", "nobody.localhost")).response(11).status()).isEqualTo(421);
    }
  }

  @Test
  void rapidResetEndsTheConnectionAndBoundsTheAppsWork() throws Exception {
    int before = app.connections();
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      for (int id = 1; id < 4000; id += 2) {
        flood.writeBytes(
            RawHttp2.bytes(
                RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, id,
                RawHttp2.block(RawHttp2.request("GET", "/public/never"))));
        flood.writeBytes(RawHttp2.bytes(RawHttp2.RST_STREAM, 0, id, RawHttp2.number(RawHttp2.CANCEL)));
      }
      sendAll(client, flood.toByteArray());
      assertThat(client.untilClosed()).contains(RawHttp2.ENHANCE_YOUR_CALM);
    }
    awaitDenial("HTTP2_FLOOD");
    assertThat(gateway.denials()).containsExactly("HTTP2_FLOOD");
    assertThat(app.connections() - before).isLessThan(220);
  }

  /** The server may close in the middle of it. */
  private static void sendAll(RawHttp2 client, byte[] bytes) {
    try {
      client.send(bytes);
    } catch (IOException e) {
      assertThat(e).isInstanceOf(java.net.SocketException.class);
    }
  }

  @Test
  void malformedStreamsWithoutEndCountLikeResets() throws Exception {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      for (int id = 1; id < 1000; id += 2) {
        flood.writeBytes(
            RawHttp2.bytes(
                RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, id,
                RawHttp2.block(RawHttp2.request("GET", "/public/", "X", "y"))));
      }
      sendAll(client, flood.toByteArray());
      assertThat(client.untilClosed()).contains(RawHttp2.ENHANCE_YOUR_CALM);
    }
    awaitDenial("HTTP2_FLOOD");
    assertThat(gateway.denials()).contains("HTTP2_FLOOD");
  }

  @Test
  void resetsThatTheClientProvokesCountLikeItsOwn() throws Exception {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      for (int id = 1; id < 1000; id += 2) {
        flood.writeBytes(
            RawHttp2.bytes(
                RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, id,
                RawHttp2.block(RawHttp2.request("GET", "/public/never"))));
        flood.writeBytes(RawHttp2.bytes(RawHttp2.WINDOW_UPDATE, 0, id, RawHttp2.number(0)));
      }
      sendAll(client, flood.toByteArray());
      assertThat(client.untilClosed()).contains(RawHttp2.ENHANCE_YOUR_CALM);
    }
    // It would else be found by the next test.
    awaitDenial("HTTP2_FLOOD");
  }

  static Stream<Arguments> idleFrames() {
    return Stream.of(
        Arguments.of("PING", RawHttp2.bytes(RawHttp2.PING, 0, 0, new byte[8])),
        Arguments.of("SETTINGS", RawHttp2.bytes(RawHttp2.SETTINGS, 0, 0, new byte[0])),
        Arguments.of("empty DATA", RawHttp2.bytes(RawHttp2.DATA, 0, 1, new byte[0])),
        Arguments.of("PRIORITY", RawHttp2.bytes(RawHttp2.PRIORITY, 0, 1, new byte[] {0, 0, 0, 0, 7})),
        Arguments.of("window updates", RawHttp2.bytes(RawHttp2.WINDOW_UPDATE, 0, 0, RawHttp2.number(1))),
        Arguments.of("unknown frames", RawHttp2.bytes(99, 0, 0, new byte[0])));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("idleFrames")
  void aFloodOfFramesThatCarryNothingEndsTheConnection(String name, byte[] frame) throws Exception {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      client.headers(1, false, RawHttp2.request("POST", "/public/never"));
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      for (int i = 0; i < 5000; i++) {
        flood.writeBytes(frame);
      }
      sendAll(client, flood.toByteArray());
      assertThat(client.untilClosed()).contains(RawHttp2.ENHANCE_YOUR_CALM);
    }
    awaitDenial("HTTP2_FLOOD");
    assertThat(gateway.denials()).containsExactly("HTTP2_FLOOD");
  }

  @Test
  void aFloodOfContinuationsEndsTheConnection() throws IOException {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      flood.writeBytes(RawHttp2.bytes(RawHttp2.HEADERS, 0, 1, RawHttp2.block(RawHttp2.request("GET", "/public/"))));
      for (int i = 0; i < 1000; i++) {
        flood.writeBytes(RawHttp2.bytes(RawHttp2.CONTINUATION, 0, 1, RawHttp2.block("x", "y")));
      }
      sendAll(client, flood.toByteArray());
      assertThat(client.untilClosed()).contains(RawHttp2.ENHANCE_YOUR_CALM);
    }
  }

  @Test
  void anEndlessHeadOfLargeContinuationsEndsTheConnection() throws IOException {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      flood.writeBytes(RawHttp2.bytes(RawHttp2.HEADERS, 0, 1, RawHttp2.block(RawHttp2.request("GET", "/public/"))));
      for (int i = 0; i < 3; i++) {
        flood.writeBytes(RawHttp2.bytes(RawHttp2.CONTINUATION, 0, 1, RawHttp2.block("x", "y".repeat(16_000))));
      }
      sendAll(client, flood.toByteArray());
      assertThat(client.untilClosed()).contains(RawHttp2.PROTOCOL_ERROR);
    }
  }

  @Test
  void aHeadThatIsTooLargeIsRefused() throws IOException {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      String[] large = RawHttp2.request("GET", "/public/", "a", "x".repeat(9000), "b", "x".repeat(9000));
      byte[] block = RawHttp2.block(large);
      client.frame(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, java.util.Arrays.copyOf(block, 16_000));
      client.frame(
          RawHttp2.CONTINUATION, RawHttp2.END_HEADERS, 1, java.util.Arrays.copyOfRange(block, 16_000, block.length));
      assertThat(client.response(1).status()).isEqualTo(200);
      byte[] tooLarge = RawHttp2.block("b", "x".repeat(16_000));
      client.frame(RawHttp2.HEADERS, RawHttp2.END_STREAM, 3, java.util.Arrays.copyOf(block, 16_000));
      client.frame(RawHttp2.CONTINUATION, 0, 3, java.util.Arrays.copyOfRange(block, 16_000, block.length));
      client.frame(RawHttp2.CONTINUATION, RawHttp2.END_HEADERS, 3, tooLarge);
      Response response = client.response(3);
      assertThat(response.status()).isEqualTo(431);
      assertThat(client.get(5, "/public/", manyFields()).response(5).status()).isEqualTo(431);
      assertThat(client.get(7, "/public/").response(7).status()).isEqualTo(200);
    }
  }

  private static String[] manyFields() {
    String[] fields = new String[400];
    java.util.Arrays.fill(fields, "x");
    return fields;
  }

  /** A few bytes that refer to one large entry of the table again and again. */
  @Test
  void aBombOfTableReferencesIsRefused() throws IOException {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      block.writeBytes(RawHttp2.block(RawHttp2.request("GET", "/public/")));
      block.write(0x40);
      block.writeBytes(java.util.Arrays.copyOfRange(RawHttp2.block("x", "y".repeat(3900)), 1, 3905));
      for (int i = 0; i < 10_000; i++) {
        block.write(0x80 | 62);
      }
      client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, block.toByteArray());
      assertThat(client.response(1).status()).isEqualTo(431);
    }
  }

  @Test
  void aTableLargerThanAllowedEndsTheConnection() throws IOException {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      byte[] resize = {0x3f, (byte) 0xe1, (byte) 0xff, 0x7f};
      client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, resize);
      assertThat(client.untilClosed()).contains(9);
    }
  }

  @Test
  void moreStreamsThanAllowedAreRefused() throws IOException {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      for (int id = 1; id <= 2 * Http2Codec.MAX_STREAMS + 1; id += 2) {
        client.get(id, "/public/never");
      }
      assertThat(client.response(2 * Http2Codec.MAX_STREAMS + 1).reset()).contains(RawHttp2.REFUSED_STREAM);
      assertThat(client.soFar(1).reset()).isEmpty();
    }
  }

  private static TestGateway patientWithIdleConnections() {
    return TestGateway.before(app.port(), limits -> TestGateway.impatient(limits, Duration.ofMillis(600), Duration.ofMinutes(2)));
  }

  @Test
  void anUnfinishedHeadHasADeadline() throws IOException {
    try (TestGateway patient = patientWithIdleConnections();
        RawHttp2 client = RawHttp2.connect(patient.port())) {
      client.await(RawHttp2.SETTINGS, 0);
      client.get(1, "/public/").response(1);
      client.frame(RawHttp2.HEADERS, 0, 3, RawHttp2.block(RawHttp2.request("GET", "/public/")));
      long begin = System.nanoTime();
      client.untilClosed();
      assertThat(System.nanoTime() - begin).isLessThan(30_000_000_000L);
    }
  }

  @Test
  void anUnfinishedPrefaceHasADeadline() throws IOException {
    try (TestGateway patient = patientWithIdleConnections();
        RawClient client = patient.connect()) {
      long begin = System.nanoTime();
      client.send("PRI * HTTP/2.0\r\n");
      assertThat(client.isClosed()).isTrue();
      assertThat(System.nanoTime() - begin).isLessThan(30_000_000_000L);
    }
  }

  @Test
  void pingsDoNotKeepAnIdleConnection() throws Exception {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      client.get(1, "/public/").response(1);
      long begin = System.nanoTime();
      Thread pinging =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      while (true) {
                        client.frame(RawHttp2.PING, 0, 0, new byte[8]);
                        Thread.sleep(100);
                      }
                    } catch (IOException | InterruptedException e) {
                      return; // closed
                    }
                  });
      assertThat(client.untilClosed()).contains(RawHttp2.NO_ERROR);
      assertThat(System.nanoTime() - begin).isLessThan(20_000_000_000L);
      client.close();
      pinging.join();
    }
  }

  @Test
  void aBodyThatDoesNotComeIsAnswered() throws IOException {
    try (RawHttp2 client = RawHttp2.connect(gateway.port())) {
      client.headers(1, false, RawHttp2.request("POST", "/public/", "content-length", "10")).data(1, false, "half");
      assertThat(client.response(1).status()).isEqualTo(408);
      assertThat(client.get(3, "/public/").response(3).status()).isEqualTo(200);
    }
  }
}
