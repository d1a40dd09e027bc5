package dev.gatehouse.common.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.OutboundHttp.Limits;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses and names below {@code .localhost} have the same guarantees. */
class OutboundHttpTest {

  private static final int MAX = 100_000;

  private final OutboundHttp http =
      new OutboundHttp(new Limits(Duration.ofSeconds(2), Duration.ofMillis(1500), MAX));
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  @AfterEach
  void stop() {
    http.close();
    server.stop(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "idp.localhost"})
  void getsABodyAndNamesTheHost(String host) {
    serve("/doc", exchange -> reply(exchange, 200, exchange.getRequestHeaders().getFirst("Host") + " " + exchange.getRequestURI()));

    assertThat(text(http.get(url(host, "/doc?a=b%20c"), "text/xml")))
        .isEqualTo(host + ":" + server.getAddress().getPort() + " /doc?a=b%20c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "idp.localhost"})
  void tellsTheStatus(String host) {
    serve("/doc", exchange -> reply(exchange, 404, "no"));

    assertThat(http.get(url(host, "/doc"), "*/*"))
        .isInstanceOfSatisfying(Answer.Received.class, r -> assertThat(r.status()).isEqualTo(404));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "idp.localhost"})
  void readsChunks(String host) {
    String text = "x".repeat(MAX);
    serve(
        "/doc",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });

    assertThat(text(http.get(url(host, "/doc"), "*/*"))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1 0", "127.0.0.1 1", "idp.localhost 0", "idp.localhost 1"})
  void doesNotReadMoreThanItShould(String hostAndLength) {
    String host = hostAndLength.substring(0, hostAndLength.length() - 2);
    int length = hostAndLength.endsWith("1") ? MAX + 1 : 0;
    serve(
        "/doc",
        exchange -> {
          exchange.sendResponseHeaders(200, length);
          exchange.getResponseBody().write(new byte[MAX + 1]);
          exchange.close();
        });

    assertThat(http.get(url(host, "/doc"), "*/*")).isInstanceOf(Answer.Failed.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "idp.localhost"})
  void endsWhenTheTimeIsOverThoughBytesKeepComing(String host) {
    serve(
        "/doc",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          for (int i = 0; i < 100; i++) {
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush();
            sleep(100);
          }
          exchange.close();
        });
    long begin = System.nanoTime();

    assertThat(http.get(url(host, "/doc"), "*/*"))
        .isEqualTo(new Answer.Failed(Cause.TIMEOUT, "no complete answer within 1500 ms, waiting for the response"));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "idp.localhost"})
  void aServerThatIsNotThereIsAnAnswer(String host) throws IOException {
    int port = FreePorts.one();
    assertThat(http.get(URI.create("http://" + host + ":" + port + "/"), "*/*")).isInstanceOf(Answer.Failed.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "idp.localhost"})
  void followsRedirectsOfTheSameScheme(String host) {
    serve("/old", exchange -> redirect(exchange, "/doc"));
    serve("/doc", exchange -> reply(exchange, 200, "here"));

    assertThat(text(http.get(url(host, "/old"), "*/*"))).isEqualTo("here");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://127.0.0.1/", "http://192.0.2.1/", "file:///etc/passwd", "//user@localhost/", "http://[", "ftp://localhost/"})
  void doesNotFollowElsewhere(String location) {
    serve("/old", exchange -> redirect(exchange, location));

    assertThat(http.get(url("127.0.0.1", "/old"), "*/*"))
        .isEqualTo(new Answer.Failed(Cause.ADDRESS_REFUSED, "redirects to where it is not followed"));
  }

  @Test
  void doesNotFollowForEver() {
    serve("/old", exchange -> redirect(exchange, "/old"));

    assertThat(http.get(url("127.0.0.1", "/old"), "*/*")).isEqualTo(new Answer.Failed(Cause.ADDRESS_REFUSED, "redirects more than 3 times"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n",
        ""
      })
  void whatIsNotHttpIsAnAnswerToo(String response) throws IOException {
    try (ServerSocket raw = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket socket = raw.accept()) {
                  socket.getInputStream().read(new byte[4096]);
                  socket.getOutputStream().write(response.getBytes(StandardCharsets.ISO_8859_1));
                } catch (IOException e) {
                  // The client has gone; the test sees its answer.
                }
              });

      assertThat(http.get(URI.create("http://sp.localhost:" + raw.getLocalPort() + "/"), "*/*"))
          .isInstanceOf(Answer.Failed.class);
    }
  }

  @Test
  void checksTheCertificateOfAnHttpsServerBelowLocalhost() throws Exception {
    SigningKey key = SamlFixtures.create(KeyAlgorithm.P_256, "idp.localhost");
    HttpsServer secure = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    secure.setHttpsConfigurator(new HttpsConfigurator(context(key)));
    secure.createContext("/", exchange -> reply(exchange, 200, "secure"));
    secure.start();
    try (OutboundHttp trusting = new OutboundHttp(Limits.USUAL, context(key))) {
      int port = secure.getAddress().getPort();
      assertThat(text(trusting.get(URI.create("https://idp.localhost:" + port + "/"), "*/*"))).isEqualTo("secure");
      assertThat(trusting.get(URI.create("https://other.localhost:" + port + "/"), "*/*"))
          .isInstanceOf(Answer.Failed.class);
      assertThat(http.get(URI.create("https://idp.localhost:" + port + "/"), "*/*")).isInstanceOf(Answer.Failed.class);
    } finally {
      secure.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "idp.localhost"})
  void postsABodyWithItsFields(String host) {
    serve(
        "/soap",
        exchange -> {
          var fields = exchange.getRequestHeaders();
          String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          String seen =
              String.join("|", exchange.getRequestMethod(), fields.getFirst("Content-Type"),
                  fields.getFirst("SOAPAction"), fields.getFirst("Content-Length"), body);
          reply(exchange, 500, seen);
        });
    Headers headers = Headers.of("Content-Type", "text/xml").and("SOAPAction", "\"x\"");
    byte[] body = "<größe/>".getBytes(StandardCharsets.UTF_8);

    Answer answer = http.post(url(host, "/soap"), headers, body, Duration.ofSeconds(5), MAX);

    assertThat(text(answer)).isEqualTo("POST|text/xml|\"x\"|10|<größe/>");
    assertThat(answer).isInstanceOfSatisfying(Answer.Received.class, r -> assertThat(r.status()).isEqualTo(500));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "idp.localhost"})
  void aPostFollowsNoRedirect(String host) {
    serve("/soap", exchange -> redirect(exchange, "/other"));
    serve("/other", exchange -> reply(exchange, 200, "posted again"));

    assertThat(post(host, MAX))
        .isInstanceOfSatisfying(Answer.Received.class, r -> assertThat(r.status()).isEqualTo(302));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "idp.localhost"})
  void aPostHasBoundsOfItsOwn(String host) {
    serve("/soap", exchange -> reply(exchange, 200, "x".repeat(1001)));
    assertThat(post(host, 1001)).isInstanceOf(Answer.Received.class);
    assertThat(post(host, 1000)).isInstanceOf(Answer.Failed.class);
    server.removeContext("/soap");
    serve("/soap", exchange -> sleep(60_000));

    long begin = System.nanoTime();
    Answer late = http.post(url(host, "/soap"), Headers.empty(), new byte[1], Duration.ofMillis(300), MAX);

    assertThat(late)
        .isInstanceOfSatisfying(
            Answer.Failed.class, failed -> assertThat(failed.problem()).startsWith("no complete answer within 300 ms, "));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
  }

  private Answer post(String host, int maxBytes) {
    return http.post(url(host, "/soap"), Headers.empty(), new byte[1], Duration.ofSeconds(5), maxBytes);
  }

  /** Returns a context that has the key as a server and trusts its certificate as a client. */
  private static SSLContext context(SigningKey key) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("server", key.privateKey(), new char[0], new Certificate[] {key.certificate()});
    store.setCertificateEntry("trusted", key.certificate());
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private void serve(String path, HttpHandler handler) {
    server.createContext(path, handler);
  }

  private URI url(String host, String path) {
    return URI.create("http://" + host + ":" + server.getAddress().getPort() + path);
  }

  private static void redirect(HttpExchange exchange, String location) throws IOException {
    exchange.getResponseHeaders().set("Location", location);
    reply(exchange, 302, "");
  }

  private static void reply(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String text(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Received.class);
    return answer instanceof Answer.Received received ? new String(received.body(), StandardCharsets.UTF_8) : "";
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
