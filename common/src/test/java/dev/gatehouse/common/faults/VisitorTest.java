package dev.gatehouse.common.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which answers of an outage are honest. */
@Timeout(60)
class VisitorTest {

  private static final String OURS = "<main><h1>" + Visitor.STORAGE_UNAVAILABLE + "</h1><p>Try again later.</p></main>";

  @AutoClose private final HttpClient client = HttpClient.newHttpClient();
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
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    return catchThrowableOfType(Visitor.Unavailable.class, () -> visitor.get(url)).isHonest();
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

  @Test
  void thePageHasThatHeading() throws IOException {
    Properties texts = new Properties();
    try (InputStream bundle = Objects.requireNonNull(VisitorTest.class.getResourceAsStream("/messages/common.properties"))) {
      texts.load(bundle);
    }
    assertThat(texts.getProperty("error.storage-unavailable.title")).isEqualTo(Visitor.STORAGE_UNAVAILABLE);
  }
}
