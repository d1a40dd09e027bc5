package dev.gatehouse.common.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 31: calls to addresses that a stranger named. */
class PublicHttpTest {

  private static final String NOT_PUBLIC = "the address is not public, and outbound.allow does not name it";

  private final AtomicInteger asked = new AtomicInteger();
  private HttpServer server;
  private int port;

  PublicHttpTest() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
  }

  @BeforeEach
  void start() {
    port = server.getAddress().getPort();
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          byte[] body = exchange.getRequestMethod().getBytes(StandardCharsets.UTF_8);
          if (exchange.getRequestURI().getPath().equals("/redirect")) {
            exchange.getResponseHeaders().add("Location", "http://127.0.0.1:" + port + "/");
            exchange.sendResponseHeaders(302, -1);
          } else if (exchange.getRequestURI().getPath().equals("/large")) {
            exchange.sendResponseHeaders(200, 300 << 10);
            exchange.getResponseBody().write(new byte[300 << 10]);
          } else {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static PublicHttp loopbackAllowed() {
    return PublicHttp.of(InetAddress::isLoopbackAddress);
  }

  private static PublicHttp publicOnly() {
    return PublicHttp.of(address -> false);
  }

  private static String problem(Answer answer) {
    return switch (answer) {
      case Answer.Failed(var cause, String problem) -> problem;
      case Answer.Received received -> "received " + received.status();
    };
  }

  @Test
  void whatIsAllowedIsAsked() {
    for (String host : List.of("127.0.0.1", "localhost", "keys.localhost")) {
      Answer get = loopbackAllowed().get(URI.create("http://" + host + ":" + port + "/jwks"), "application/json");
      assertThat(get).isInstanceOf(Answer.Received.class);
      assertThat(((Answer.Received) get).body()).asString().isEqualTo("GET");
    }
    Answer post =
        loopbackAllowed()
            .post(
                URI.create("http://127.0.0.1:" + port + "/logout"),
                Headers.of("Content-Type", "text/plain"),
                "x".getBytes(StandardCharsets.UTF_8));
    assertThat(((Answer.Received) post).body()).asString().isEqualTo("POST");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "keys.localhost", "[::1]", "0x7f000001", "2130706433", "127.1", "[::ffff:127.0.0.1]"})
  void thisMachineIsNot(String host) {
    Answer answer = publicOnly().get(URI.create("http://" + host + ":" + port + "/"), "application/json");
    assertThat(answer).isInstanceOf(Answer.Failed.class);
    assertThat(asked).hasValue(0);
  }

  @Test
  void privateNetworksAreNot() {
    for (String host : List.of("10.0.0.1", "169.254.169.254", "192.168.0.1", "[fd00::1]")) {
      assertThat(problem(loopbackAllowed().get(URI.create("https://" + host + "/"), "*/*"))).as(host).isEqualTo(NOT_PUBLIC);
    }
  }

  @Test
  void publicAddressesAreNotAskedInTheClear() {
    assertThat(problem(publicOnly().get(URI.create("http://1.1.1.1/"), "*/*"))).isEqualTo(NOT_PUBLIC);
  }

  @Test
  void noRedirectIsFollowed() {
    assertThat(problem(loopbackAllowed().get(URI.create("http://127.0.0.1:" + port + "/redirect"), "*/*"))).isEqualTo("received 302");
    assertThat(asked).hasValue(1);
  }

  @Test
  void whatIsNoAddressIsNotAsked() {
    for (String url : List.of("ftp://example.org/", "file:///etc/passwd", "gopher://127.0.0.1/", "mailto:a@b", "/relative")) {
      assertThat(problem(loopbackAllowed().get(URI.create(url), "*/*"))).as(url).isEqualTo("not an http or https address");
    }
    assertThat(problem(loopbackAllowed().get(URI.create("http://user@127.0.0.1:" + port + "/"), "*/*")))
        .isEqualTo("the address has a user name");
  }

  @Test
  void answersAreBoundedInSizeAndTime() throws Exception {
    assertThat(problem(loopbackAllowed().get(URI.create("http://127.0.0.1:" + port + "/large"), "*/*")))
        .contains("the body exceeds 262144 bytes");
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      PublicHttp hasty =
          new PublicHttp(
              InetAddress::isLoopbackAddress,
              new OutboundHttp.Limits(Duration.ofMillis(200), Duration.ofMillis(200), 100),
              SSLContext.getDefault(),
              new HttpClientExchanges.MaxConnections(2, 4),
              InetAddress::getAllByName);
      assertThat(problem(hasty.get(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"), "*/*")))
          .startsWith("no complete answer within 200 ms, ");
    }
  }
}
