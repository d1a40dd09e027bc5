package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections to apps serve one person after the other: nothing that belongs to one may reach the next. */
@Timeout(60)
class SharedConnectionsTest {

  /** What the engine reads at once from a new connection. */
  private static final int FIRST_READ = 2048;

  private static final String POISON = RawApp.ok("poison");

  /** The first connection answers so, all others answer "clean". */
  private static RawApp firstAnswering(String response) throws IOException {
    return new RawApp(
        (request, in, out, socket) -> {
          RawApp.readBody(request, in);
          out.write((request.connection() == 1 ? response : RawApp.ok("clean")).getBytes(StandardCharsets.ISO_8859_1));
          out.flush();
        });
  }

  @Test
  void bytesThatAreReadRightAfterAResponseReachNobody() throws IOException {
    String padding = "x".repeat(FIRST_READ - RawApp.ok("x".repeat(1000)).length() + 1000);
    String whole = RawApp.ok(padding);
    assertThat(whole).hasSize(FIRST_READ);
    try (RawApp app = firstAnswering(whole + POISON);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      // The second request waits already when the first one's response ends.
      client.send("GET /public/1 HTTP/1.1\r\nHost: app.localhost\r\n\r\nGET /public/2 HTTP/1.1\r\nHost: app.localhost\r\n\r\n");
      assertThat(client.read().body()).isEqualTo(padding);
      assertThat(client.read().body()).isEqualTo("clean");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NTLM TlRMTVNTUAAB", "Negotiate YII=", "negotiate YII=", "NTLM"})
  void aConnectionThatAnAppAuthenticatesForOnePersonIsNobodyElses(String authorization) throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/", "Authorization: " + authorization).read().status()).isEqualTo(200);
      assertThat(client.get("/public/").read().status()).isEqualTo(200);
      assertThat(app.received()).extracting(RawApp.Received::connection).containsExactly(1, 2);
      assertThat(app.received().getFirst().has("Authorization: " + authorization)).isTrue();
    }
  }

  @Test
  void otherAuthorizationsShareConnections() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/", "Authorization: Basic YTpi").read();
      client.get("/public/", "Authorization: Bearer NTLM").read();
      assertThat(app.connections()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 6", "Transfer-Encoding: chunked"})
  void aConnectionWhoseAppAnnouncesABodyWhereNoneMayBeIsNotUsedAgain(String framing) throws IOException {
    try (RawApp app = firstAnswering("HTTP/1.1 204 No Content\r\n" + framing + "\r\n\r\n");
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().status()).isEqualTo(204);
      assertThat(client.get("/public/").read().body()).isEqualTo("clean");
      assertThat(app.connections()).isEqualTo(2);
    }
  }

  @Test
  void aBodyBehindTheAnswerToHeadReachesNobody() throws IOException {
    try (RawApp app = firstAnswering(POISON);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send("HEAD /public/ HTTP/1.1\r\nHost: app.localhost\r\n\r\n");
      assertThat(client.read(true).field("Content-Length")).contains("6");
      assertThat(client.get("/public/").read().body()).isEqualTo("clean");
    }
  }

  /** Servers that give such a body no meaning take it for the next request. */
  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "DELETE", "OPTIONS"})
  void aConnectionIsNotUsedAgainAfterABodyThatTheAppMayNotHaveRead(String method) throws IOException {
    for (String framing : List.of("Content-Length: 4\r\n\r\nGET ", "Transfer-Encoding: chunked\r\n\r\n4\r\nGET \r\n0\r\n\r\n")) {
      try (RawApp app = RawApp.answering(RawApp.ok(""));
          TestGateway gateway = TestGateway.before(app);
          RawClient client = gateway.connect()) {
        client.send(method + " /public/ HTTP/1.1\r\nHost: app.localhost\r\n" + framing).read(method.equals("HEAD"));
        client.get("/public/").read();
        assertThat(app.received()).extracting(RawApp.Received::connection).containsExactly(1, 2);
      }
    }
  }

  @Test
  void aConnectionIsUsedAgainAfterAPost() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send("POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 4\r\n\r\nbody").read();
      client.get("/public/").read();
      assertThat(app.connections()).isEqualTo(1);
    }
  }

  /** What it has not read when it answered it may read as the next request. */
  @Test
  void aConnectionWhoseAppAnsweredBeforeItHadTheRequestIsNotUsedAgain() throws IOException {
    CountDownLatch sent = new CountDownLatch(1);
    try (RawApp app =
            new RawApp(
                (request, in, out, socket) -> {
                  if (request.connection() > 1) {
                    out.write(RawApp.ok("clean").getBytes(StandardCharsets.ISO_8859_1));
                    out.flush();
                    return;
                  }
                  out.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe".getBytes(StandardCharsets.ISO_8859_1));
                  out.flush();
                  await(sent);
                  RawApp.readBody(request, in);
                  out.write("llo".getBytes(StandardCharsets.ISO_8859_1));
                  out.flush();
                });
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send("POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 4\r\n\r\nbo");
      client.await("\r\n\r\nhe");
      client.send("dy");
      sent.countDown();
      client.await("llo");
      try (RawClient next = gateway.connect()) {
        assertThat(next.get("/public/").read().body()).isEqualTo("clean");
      }
      assertThat(app.connections()).isEqualTo(2);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void interimHeadsWithoutEndAreA502() throws IOException {
    try (RawApp app = RawApp.answering("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(1000) + RawApp.ok("late"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/");
      int status = 103;
      for (int heads = 0; status == 103; heads++) {
        assertThat(heads).isLessThan(100);
        status = client.read().status();
      }
      assertThat(status).isEqualTo(502);
    }
  }
}
