package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** SECURITY-CASES 52, 53, 55, 56, 63: what two readers could understand differently reaches no app. */
@Timeout(60)
class StrictnessTest {

  private static RawApp app;
  private static TestGateway gateway;

  /** Requests that may still arrive at the app. */
  private static int late;

  @BeforeAll
  static void start() throws IOException {
    app = RawApp.answering(RawApp.ok("reached"));
    gateway = TestGateway.before(app);
  }

  @AfterAll
  static void stop() throws IOException {
    gateway.close();
    app.close();
  }

  private static Arguments refused(String name, String request, int status, String reason) {
    return Arguments.of(name, request, status, reason);
  }

  private static String get(String lines) {
    return "GET /public/ HTTP/1.1\r\nHost: app.localhost\r\n" + lines + "\r\n";
  }

  private static String post(String lines, String body) {
    return "POST /public/ HTTP/1.1\r\nHost: app.localhost\r\n" + lines + "\r\n" + body;
  }

  private static String line(String requestLine) {
    return requestLine + "\r\nHost: app.localhost\r\n\r\n";
  }

  static Stream<Arguments> malformed() {
    String smuggled = "0\r\n\r\nGET /manager/ HTTP/1.1\r\nHost: app.localhost\r\n\r\n";
    return Stream.of(
        // 52: framing
        refused("length and encoding", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", smuggled), 400, "LENGTH_AND_ENCODING"),
        refused("encoding and length", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", smuggled), 400, "LENGTH_AND_ENCODING"),
        refused("two lengths", post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello!"), 400, "CONTENT_LENGTH_REPEATED"),
        refused("two equal lengths", post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"), 400, "CONTENT_LENGTH_REPEATED"),
        refused("length list", post("Content-Length: 5, 5\r\n", "hello"), 400, "CONTENT_LENGTH"),
        refused("signed length", post("Content-Length: +5\r\n", "hello"), 400, "CONTENT_LENGTH"),
        refused("negative length", post("Content-Length: -5\r\n", "hello"), 400, "CONTENT_LENGTH"),
        refused("hexadecimal length", post("Content-Length: 0x5\r\n", "hello"), 400, "CONTENT_LENGTH"),
        refused("spaced length", post("Content-Length: 5 5\r\n", "hello"), 400, "CONTENT_LENGTH"),
        refused("decimal length", post("Content-Length: 5.0\r\n", "hello"), 400, "CONTENT_LENGTH"),
        refused("empty length", post("Content-Length:\r\n", ""), 400, "CONTENT_LENGTH"),
        refused("endless length", post("Content-Length: 99999999999999999999\r\n", ""), 400, "CONTENT_LENGTH"),
        refused("length with a tab", post("Content-Length: 5\t1\r\n", "hello"), 400, "CONTENT_LENGTH"),
        refused("encoding twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", smuggled), 400, "TRANSFER_ENCODING"),
        refused("encoding list", post("Transfer-Encoding: gzip, chunked\r\n", smuggled), 400, "TRANSFER_ENCODING"),
        refused("chunked, chunked", post("Transfer-Encoding: chunked, chunked\r\n", smuggled), 400, "TRANSFER_ENCODING"),
        refused("identity", post("Transfer-Encoding: identity\r\n", smuggled), 400, "TRANSFER_ENCODING"),
        refused("xchunked", post("Transfer-Encoding: xchunked\r\n", smuggled), 400, "TRANSFER_ENCODING"),
        refused("quoted chunked", post("Transfer-Encoding: \"chunked\"\r\n", smuggled), 400, "TRANSFER_ENCODING"),
        refused("chunked;q", post("Transfer-Encoding: chunked;q=1\r\n", smuggled), 400, "TRANSFER_ENCODING"),
        refused("empty encoding", post("Transfer-Encoding:\r\n", smuggled), 400, "TRANSFER_ENCODING"),
        refused("vertical tab", post("Transfer-Encoding: \u000bchunked\r\n", smuggled), 400, "FIELD_VALUE"),
        refused("space before colon", post("Transfer-Encoding : chunked\r\n", smuggled), 400, "FIELD_NAME"),
        refused("encoding in HTTP/1.0", "POST /public/ HTTP/1.0\r\nHost: app.localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + smuggled, 400, "TRANSFER_ENCODING"),
        // 53: lines
        refused("bare LF in the request line", "GET /public/ HTTP/1.1\nHost: app.localhost\r\n\r\n", 400, "LINE_ENDING"),
        refused("bare LF after a field", "GET /public/ HTTP/1.1\r\nHost: app.localhost\nX: 1\r\n\r\n", 400, "LINE_ENDING"),
        refused("bare LF at the end", "GET /public/ HTTP/1.1\r\nHost: app.localhost\r\n\n", 400, "LINE_ENDING"),
        refused("bare CR in a value", get("X: a\rb\r\n"), 400, "LINE_ENDING"),
        refused("bare CR before a field", get("\rX: a\r\n"), 400, "FIELD_NAME"),
        refused("CR CR LF", get("X: a\r\r\n"), 400, "LINE_ENDING"),
        refused("NUL in a value", get("X: a\0b\r\n"), 400, "FIELD_VALUE"),
        refused("NUL in a name", get("X\0: b\r\n"), 400, "FIELD_NAME"),
        refused("escape character in a value", get("X: \u001b[31m\r\n"), 400, "FIELD_VALUE"),
        refused("folded field", get("X: a\r\n b\r\n"), 400, "FOLDED_FIELD"),
        refused("folded with a tab", get("X: a\r\n\tb\r\n"), 400, "FOLDED_FIELD"),
        refused("space before the first field", "GET /public/ HTTP/1.1\r\n Host: app.localhost\r\n\r\n", 400, "FOLDED_FIELD"),
        refused("no name", get(": a\r\n"), 400, "FIELD_NAME"),
        refused("no colon", get("X\r\n"), 400, "FIELD_NAME"),
        refused("name with a bracket", get("X[0]: a\r\n"), 400, "FIELD_NAME"),
        refused("name beyond ASCII", get("X\u00e4: a\r\n"), 400, "FIELD_NAME"),
        // The request line
        refused("no target", line("GET  HTTP/1.1"), 400, "REQUEST_LINE"),
        refused("two spaces", line("GET  /public/ HTTP/1.1"), 400, "REQUEST_LINE"),
        refused("tab", line("GET\t/public/ HTTP/1.1"), 400, "REQUEST_LINE"),
        refused("space behind the version", line("GET /public/ HTTP/1.1 "), 400, "REQUEST_LINE"),
        refused("HTTP/0.9", "GET /public/\r\n\r\n", 400, "REQUEST_LINE"),
        refused("HTTP/2.0", line("GET /public/ HTTP/2.0"), 505, "VERSION"),
        refused("HTTP/1.2", line("GET /public/ HTTP/1.2"), 505, "VERSION"),
        refused("http in lower case", line("GET /public/ http/1.1"), 400, "REQUEST_LINE"),
        refused("method in lower case", line("get /public/ HTTP/1.1"), 400, "METHOD"),
        refused("method with a slash", line("G/T /public/ HTTP/1.1"), 400, "REQUEST_LINE"),
        refused("CONNECT", line("CONNECT app.localhost:80 HTTP/1.1"), 405, "METHOD_REFUSED"),
        refused("TRACE", line("TRACE /public/ HTTP/1.1"), 405, "METHOD_REFUSED"),
        refused("asterisk", line("OPTIONS * HTTP/1.1"), 400, "TARGET"),
        refused("relative target", line("GET public/ HTTP/1.1"), 400, "TARGET"),
        refused("unknown expectation", get("Expect: coffee\r\n"), 417, "EXPECTATION"),
        // 55: Host
        refused("no Host", "GET /public/ HTTP/1.1\r\n\r\n", 400, "HOST_MISSING"),
        refused("no Host in HTTP/1.0", "GET /public/ HTTP/1.0\r\n\r\n", 400, "HOST_MISSING"),
        refused("two Hosts", get("Host: app.localhost\r\n"), 400, "HOST_REPEATED"),
        refused("empty Host", "GET /public/ HTTP/1.1\r\nHost:\r\n\r\n", 400, "HOST"),
        refused("Host with user", "GET /public/ HTTP/1.1\r\nHost: x@app.localhost\r\n\r\n", 400, "HOST"),
        refused("Host with path", "GET /public/ HTTP/1.1\r\nHost: app.localhost/x\r\n\r\n", 400, "HOST"),
        refused("Host list", "GET /public/ HTTP/1.1\r\nHost: app.localhost, evil\r\n\r\n", 400, "HOST"),
        refused("Host with a dot at its end", "GET /public/ HTTP/1.1\r\nHost: app.localhost.\r\n\r\n", 400, "HOST"),
        refused("Host with a far port", "GET /public/ HTTP/1.1\r\nHost: app.localhost:99999\r\n\r\n", 400, "HOST"),
        refused("Host with no port", "GET /public/ HTTP/1.1\r\nHost: app.localhost:\r\n\r\n", 400, "HOST"),
        refused("other authority", line("GET http://evil.localhost/public/ HTTP/1.1"), 400, "AUTHORITY"),
        refused("authority with user", line("GET http://app.localhost@evil/public/ HTTP/1.1"), 400, "AUTHORITY"),
        refused("unknown Host", "GET /public/ HTTP/1.1\r\nHost: evil.localhost\r\n\r\n", 421, "HOST_UNKNOWN"),
        refused("unknown port", "GET /public/ HTTP/1.1\r\nHost: app.localhost:81\r\n\r\n", 421, "HOST_UNKNOWN"),
        // 56: paths
        refused("escaped slash", line("GET /public%2fx HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("escaped climb", line("GET /public/..%2fmanager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("backslash", line("GET /public/..\\manager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("escaped backslash", line("GET /public/%5c..%5cmanager HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("escaped NUL", line("GET /public/%00 HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("escaped line end", line("GET /public/%0d%0aX:1 HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("escaped twice", line("GET /public/%252e%252e/manager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("escaped twice, the digits too", line("GET /public/%25%32%65%25%32%65/manager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("escaped twice, the second digit too", line("GET /public/%252%66manager HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a route in other letters", line("GET /Manager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a route in other, escaped letters", line("GET /%4danager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a route in other letters, with parameters", line("GET /MANAGER;x HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a dot behind a route", line("GET /manager./ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("an escaped dot behind a route", line("GET /manager%2e/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("dots behind a route, and no slash", line("GET /manager... HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a space behind a route", line("GET /manager%20/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("dots and spaces behind a route", line("GET /MANAGER.%20./x HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a hard space behind a route", line("GET /manager%c2%a0/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a plus behind a route", line("GET /manager+/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a stream of a route", line("GET /manager::$DATA/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("an escaped stream", line("GET /manager%3a%3a%24INDEX_ALLOCATION/x HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a stream with parameters", line("GET /manager::$DATA;x/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a short name", line("GET /MANAGE~1/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("an escaped short name", line("GET /manage%7e2/x HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a short name with a hash", line("GET /MA1F0C~1/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("wide letters", line("GET /%ef%bd%8danager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("an invisible letter", line("GET /mana%e2%80%8dger/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a segment of spaces", line("GET /%20/manager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("a segment of dots", line("GET /.../manager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("broken escape", line("GET /public/%zz HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("cut escape", line("GET /public/%2 HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("over-long dot", line("GET /public/%c0%ae%c0%ae/manager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("over-long slash", line("GET /public/..%e0%80%afmanager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("dots with parameters", line("GET /public/..;/manager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("dots with escaped parameters", line("GET /public/..%3b/manager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("escaped dots with parameters", line("GET /public/%2e%2e;x=1/manager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("empty segment with parameters", line("GET /;x/manager/ HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("parameters that change the route", line("GET /manager;x/y HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("climb above the root", line("GET /public/../../x HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        refused("raw bytes", line("GET /public/\u00e4 HTTP/1.1"), 400, "REQUEST_LINE"),
        refused("fragment", line("GET /public/#x HTTP/1.1"), 400, "PATH_AMBIGUOUS"),
        // Sizes
        refused("long target", line("GET /public/" + "a".repeat(9000) + " HTTP/1.1"), 414, "TARGET_TOO_LONG"),
        refused("endless target", "GET /public/" + "a".repeat(20_000), 414, "TARGET_TOO_LONG"),
        refused("long head", get("X: " + "a".repeat(40_000) + "\r\n"), 431, "HEAD_TOO_LARGE"),
        refused("many fields", get("X: a\r\n".repeat(200)), 431, "HEAD_TOO_LARGE"),
        // A body's framing, before an app has answered
        refused("chunk size is no number", post("Transfer-Encoding: chunked\r\n", "zz\r\n"), 400, "CHUNK"),
        refused("negative chunk", post("Transfer-Encoding: chunked\r\n", "-1\r\n"), 400, "CHUNK"),
        refused("chunk 0x", post("Transfer-Encoding: chunked\r\n", "0x5\r\nhello\r\n0\r\n\r\n"), 400, "CHUNK"),
        refused("spaced chunk", post("Transfer-Encoding: chunked\r\n", "5 \r\nhello\r\n0\r\n\r\n"), 400, "CHUNK"),
        refused("chunk of endless size", post("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n"), 400, "CHUNK"),
        refused("chunk with bare LF", post("Transfer-Encoding: chunked\r\n", "5\nhello\r\n0\r\n\r\n"), 400, "CHUNK"),
        refused("extension with bare LF", post("Transfer-Encoding: chunked\r\n", "5;\nxx\r\n"), 400, "CHUNK"),
        refused("endless extension", post("Transfer-Encoding: chunked\r\n", "5;" + "x".repeat(300)), 400, "CHUNK"),
        refused("chunk longer than it says", post("Transfer-Encoding: chunked\r\n", "5\r\nhello!\r\n"), 400, "CHUNK"),
        refused("trailer with bare LF", post("Transfer-Encoding: chunked\r\n", "0\r\nX: 1\n\r\n"), 400, "TRAILER"),
        refused("trailer without name", post("Transfer-Encoding: chunked\r\n", "0\r\n: 1\r\n\r\n"), 400, "TRAILER"),
        refused("folded trailer", post("Transfer-Encoding: chunked\r\n", "0\r\nX: 1\r\n y\r\n\r\n"), 400, "TRAILER"),
        refused("endless trailers", post("Transfer-Encoding: chunked\r\n", "0\r\nX: " + "y".repeat(10_000)), 400, "TRAILER"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("malformed")
  void isRefusedAndReachesNoApp(String name, String request, int status, String reason) throws IOException {
    gateway.audit().clear();
    int before = app.received().size();
    try (RawClient client = gateway.connect()) {
      Response response = client.send(request).read();
      assertThat(response.status()).isEqualTo(status);
      assertThat(response.body()).contains("\"reference\":\"").doesNotContain(reason);
      assertThat(gateway.denials()).containsExactly(reason);
      if (status != 421 && !reason.equals("METHOD_REFUSED")) {
        assertThat(response.field("Connection")).contains("close");
        assertThat(client.isClosed()).isTrue();
      }
    }
    // A chunked body's head may be on its way before the body turns out to be malformed; nothing behind it may be.
    late += reason.equals("CHUNK") || reason.equals("TRAILER") ? 1 : 0;
    assertThat(app.received().size()).as(name).isBetween(before, before + late);
  }

  static Stream<Arguments> normalised() {
    return Stream.of(
        Arguments.of("/public/%61", "/public/a"),
        Arguments.of("/public/%7Ex", "/public/~x"),
        Arguments.of("/public/./a", "/public/a"),
        Arguments.of("/public/%2e/a", "/public/a"),
        Arguments.of("//public///a//", "/public/a/"),
        Arguments.of("/x/../public/a", "/public/a"),
        Arguments.of("/x/%2E%2e/public/a", "/public/a"),
        Arguments.of("/public/a/..", "/public/"),
        Arguments.of("/public/%c3%a4%20b", "/public/%C3%A4%20b"),
        Arguments.of("/public/100%25", "/public/100%25"),
        Arguments.of("/public/a;v=1/b", "/public/a;v=1/b"),
        Arguments.of("/public/a.b/.well-known/x..y", "/public/a.b/.well-known/x..y"),
        Arguments.of("/public/a?b=%2f%00../", "/public/a?b=%2f%00../"),
        Arguments.of("http://APP.localhost:80/public/a", "/public/a"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("normalised")
  void forwardsExactlyThePathThatWasAuthorised(String sent, String forwarded) throws IOException {
    int before = app.received().size();
    try (RawClient client = gateway.connect()) {
      assertThat(client.get(sent).read().status()).isEqualTo(200);
    }
    assertThat(app.received().get(before).requestLine()).isEqualTo("GET " + forwarded + " HTTP/1.1");
  }

  @Test
  void aClimbIntoAProtectedRouteIsDecidedByThatRoute() throws IOException {
    int before = app.received().size();
    try (RawClient client = gateway.connect()) {
      assertThat(client.get("/public/../manager/").read().status()).isEqualTo(303);
      assertThat(client.get("/public/%2e%2e/manager/").read().status()).isEqualTo(303);
      assertThat(client.get("//manager/").read().status()).isEqualTo(303);
      assertThat(client.get("/manager").read().status()).isEqualTo(303);
    }
    assertThat(app.received()).hasSize(before);
  }

  @Test
  void anUpgradeIsNotForwarded() throws IOException {
    int before = app.received().size();
    try (RawClient client = gateway.connect()) {
      client.get(
          "/public/up", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA");
      assertThat(client.read().status()).isEqualTo(200);
    }
    assertThat(app.received().get(before).head()).doesNotContainIgnoringCase("upgrade").doesNotContain("HTTP2");
  }

  @Test
  void oneEmptyLineBeforeARequestIsForgiven() throws IOException {
    try (RawClient client = gateway.connect()) {
      client.send("\r\n");
      assertThat(client.get("/public/").read().status()).isEqualTo(200);
    }
  }

  @Test
  void aHeadThatArrivesByteByByteIsTheSame() throws IOException {
    try (RawClient client = gateway.connect()) {
      for (char c : "GET /public/slow HTTP/1.1\r\nHost: app.localhost\r\n\r\n".toCharArray()) {
        client.send(String.valueOf(c));
      }
      assertThat(client.read().status()).isEqualTo(200);
    }
  }

  @Test
  void aRefusalWithoutAuditIsStillARefusal() throws IOException {
    gateway.audit().breakDown(true);
    try (RawClient client = gateway.connect()) {
      assertThat(client.get("/nowhere%2f").read().status()).isEqualTo(503);
    } finally {
      gateway.audit().breakDown(false);
    }
  }
}
