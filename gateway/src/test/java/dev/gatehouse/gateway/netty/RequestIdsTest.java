package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.node.AccessLogConfig;
import dev.gatehouse.common.node.AccessLogConfig.Format;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The id of a request: from whom it is taken, and where it can be found. */
@Timeout(60)
class RequestIdsTest {

  private static final String OURS = "[2-9a-hjkmnp-z]{12}";
  private static final Cidr PROXY = new Cidr(InetAddress.ofLiteral("127.0.0.1"), 32);

  @TempDir private Path folder;

  private static String idOf(RawApp app) {
    return app.received().getLast().head().lines().filter(line -> line.startsWith("X-Request-Id: ")).findFirst().orElse("").substring(14);
  }

  @Test
  void eachRequestHasAnIdOfItsOwnThatTheAppGetsToo() throws IOException {
    try (RawApp app = RawApp.answering("HTTP/1.1 200 OK\r\nX-Request-Id: of-the-app\r\nContent-Length: 2\r\n\r\nhi");
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      Set<String> ids = new HashSet<>();
      for (int i = 0; i < 200; i++) {
        assertThat(client.get("/public/" + i).read().fields()).noneMatch(field -> field.contains("of-the-app"));
        assertThat(client.requestId()).matches(OURS).isEqualTo(idOf(app));
        ids.add(client.requestId());
      }
      assertThat(ids).hasSize(200);
    }
  }

  /** Otherwise anybody could put entries of others beside their own in the logs. */
  @Test
  void theIdOfAClientDoesNotCount() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/", "X-Request-Id: forged", "x-request-id: forged2").read();
      assertThat(client.requestId()).matches(OURS);
      assertThat(app.only().head()).doesNotContain("forged");
    }
  }

  @Test
  void theIdOfATrustedProxyCounts() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.trusting(app, PROXY);
        RawClient client = gateway.connect()) {
      for (String id : List.of("7f3c1b9e-52a4-4a62-9f0b-0d5b2f8a6c11", "A_z", "x".repeat(64))) {
        client.get("/public/", "x-request-ID: " + id).read();
        assertThat(client.requestId()).isEqualTo(id).isEqualTo(idOf(app));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a\"b", "<b>", "a,b", "a/../b", "a%0d%0ab", "\u00e4", "one\r\nX-Request-Id: two"})
  void anIdThatCannotStandInLogsIsReplaced(String id) throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.trusting(app, PROXY);
        RawClient client = gateway.connect()) {
      client.get("/public/", "X-Request-Id: " + id).read();
      assertThat(client.requestId()).matches(OURS).isEqualTo(idOf(app));
      client.get("/public/", "X-Request-Id: " + "x".repeat(65)).read();
      assertThat(client.requestId()).matches(OURS);
    }
  }

  @Test
  void itIsTheReferenceOfAnErrorPageOfTheAuditEventAndOfTheAccessLog() throws IOException {
    AccessLogConfig log = new AccessLogConfig(folder.resolve("access.log"), Format.JSON, false, 1 << 20, 2);
    List<String> ids;
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.logging(app, log, Optional.empty());
        RawClient client = gateway.connect()) {
      client.get("/public/").read();
      String served = client.requestId();
      String session = gateway.sessions().open("bob", List.of("clerk"), List.of());
      Response denied = client.get("/manager/", "Cookie: gh_app=" + session).read();
      assertThat(denied.status()).isEqualTo(403);
      assertThat(denied.body()).contains("\"reference\":\"" + client.requestId() + "\"");
      assertThat(gateway.audit().events())
          .filteredOn(AuditEvent.AccessDenied.class::isInstance)
          .extracting(event -> event.context().reference())
          .containsExactly(Optional.of(client.requestId()));
      ids = List.of(served, client.requestId());
    }
    assertThat(Files.readAllLines(log.file())).hasSize(2).satisfiesExactly(
        first -> assertThat(first).contains(",\"reference\":\"" + ids.getFirst() + "\""),
        second -> assertThat(second).contains(",\"reference\":\"" + ids.getLast() + "\""));
  }

  @Test
  void malformedRequestsHaveOneToo() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      Response refused = client.send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").read();
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("\"reference\":\"" + client.requestId() + "\"");
    }
  }

  @Test
  void responsesOfTheCacheHaveTheIdOfTheirRequest() throws IOException {
    try (RawApp app = RawApp.answering("HTTP/1.1 200 OK\r\nCache-Control: public, max-age=600\r\nContent-Length: 4\r\n\r\nkept");
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect();
        RawHttp2 http2 = RawHttp2.connect(gateway.port())) {
      Set<String> ids = new HashSet<>();
      for (int i = 0; i < 20; i++) {
        assertThat(client.get("/public/page").read().body()).isEqualTo("kept");
        ids.add(client.requestId());
        RawHttp2.Response response = http2.get(2 * i + 1, "/public/page").response(2 * i + 1);
        assertThat(response.body()).isEqualTo("kept");
        ids.add(response.field("x-request-id").orElseThrow());
      }
      assertThat(app.received()).hasSize(1);
      assertThat(ids).hasSize(40).allMatch(id -> id.matches(OURS));
    }
  }
}
