package dev.gatehouse.common.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which answers of an outage are honest, and which refusals are none. */
@Timeout(60)
class VisitorTest {

  private static final String OURS = "<main><h1>" + Visitor.STORAGE_UNAVAILABLE + "</h1><p>Try again later.</p></main>";

  private static final String USED = "<main><h1>" + Visitor.ALREADY_USED + "</h1><p>Go back and start again.</p></main>";

  @AutoClose private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger received = new AtomicInteger();
  /** How many of the next requests are not answered: the connection is closed. */
  private final AtomicInteger lost = new AtomicInteger();
  private HttpServer server;
  private int status;
  private String body = "";
  private boolean hasTime;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          received.incrementAndGet();
          if (lost.getAndDecrement() > 0) {
            exchange.close();
            return;
          }
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          if (hasTime) {
            exchange.getResponseHeaders().set("Retry-After", "10");
          }
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private boolean isHonest(int answered, String page, boolean withTime) {
    status = answered;
    body = page;
    hasTime = withTime;
    Visitor visitor = new Visitor(client, new Requests());
    return catchThrowableOfType(Visitor.Unavailable.class, () -> visitor.get(url())).isHonest();
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  @Test
  void onlyOurPageWithATimeToTryAgainIsHonest() {
    assertThat(isHonest(503, OURS, true)).isTrue();
    assertThat(isHonest(503, OURS, false)).as("without a time").isFalse();
    assertThat(isHonest(500, OURS, true)).as("an error").isFalse();
    assertThat(isHonest(503, "<h1>503 Service Unavailable</h1>", true)).as("the balancer's").isFalse();
    server.stop(0);
    assertThat(isHonest(503, OURS, true)).as("no answer").isFalse();
  }

  /** The client sends a GET again by itself, and the other node says that it counts once. */
  @Test
  void aRefusalOfWhatWasSentAgainBecauseItsAnswerWasLostIsAFailedRequest() {
    Requests requests = new Requests();
    status = 400;
    body = USED;
    lost.set(1);
    assertThatThrownBy(() -> new Visitor(client, requests).get(url()))
        .isInstanceOf(Visitor.Unavailable.class)
        .hasMessageContaining("400 " + Visitor.ALREADY_USED);
    assertThat(received).as("sent twice").hasValue(2);
    assertThat(requests.failedSoFar()).isEqualTo(1);
    assertThat(requests.failures().keySet()).allMatch(why -> why.endsWith("because the first answer was lost"));
  }

  @Test
  void anyOtherRefusalIsAnAnswer() throws IOException {
    Requests requests = new Requests();
    Visitor visitor = new Visitor(client, requests);
    status = 400;
    body = USED;
    assertThat(visitor.get(url()).status()).as("sent once").isEqualTo(400);
    body = "<h1>This page has expired</h1>";
    lost.set(1);
    assertThat(visitor.get(url()).status()).as("for another reason").isEqualTo(400);
    body = USED;
    assertThat(visitor.post(url(), "", Map.of()).status()).as("a form").isEqualTo(400);
    status = 200;
    lost.set(1);
    assertThat(visitor.get(url()).status()).as("served at the second time").isEqualTo(200);
    assertThat(requests.failedSoFar()).isZero();
  }

  @Test
  void aFormIsNotSentAgain() {
    lost.set(1);
    status = 200;
    assertThatThrownBy(() -> new Visitor(client, new Requests()).post(url(), "", Map.of())).isInstanceOf(Visitor.Unavailable.class);
    assertThat(received).hasValue(1);
  }

  @Test
  void thePageHasThatHeading() throws IOException {
    Properties texts = new Properties();
    try (InputStream bundle = Objects.requireNonNull(VisitorTest.class.getResourceAsStream("/messages/common.properties"))) {
      texts.load(bundle);
    }
    assertThat(texts.getProperty("error.storage-unavailable.title")).isEqualTo(Visitor.STORAGE_UNAVAILABLE);
  }
}
