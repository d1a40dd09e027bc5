package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes through as it should. */
@Timeout(60)
class ProxyingTest {

  @Test
  void carriesARequestAndItsResponse() throws IOException {
    try (RawApp app = RawApp.answering("HTTP/1.1 200 Fine\r\nContent-Length: 2\r\nX-App: 1\r\nServer: app\r\n\r\nhi");
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      Response response = client.get("/public/a?b=c", "Accept: */*").read();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("hi");
      assertThat(response.fields()).containsExactly("X-App: 1", "Server: app", "Via: 1.1 gatehouse", "Content-Length: 2");
      assertThat(app.only().requestLine()).isEqualTo("GET /public/a?b=c HTTP/1.1");
      assertThat(app.only().has("Accept: */*")).isTrue();
      assertThat(app.only().has("Host: app.localhost")).isTrue();
      assertThat(app.only().has("X-Forwarded-For: 127.0.0.1")).isTrue();
      assertThat(app.only().has("X-Forwarded-Proto: http")).isTrue();
      assertThat(app.only().has("X-Forwarded-Host: app.localhost")).isTrue();
      assertThat(app.only().has("X-Forwarded-Port: 80")).isTrue();
      assertThat(app.only().has("Forwarded: for=127.0.0.1;host=\"app.localhost\";proto=http")).isTrue();
    }
  }

  @Test
  void keepsBothConnectionsAliveOverTenThousandRequests() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      for (int i = 0; i < 10_000; i++) {
        assertThat(client.get("/public/" + i).read().body()).isEqualTo("hello");
      }
      assertThat(app.connections()).isEqualTo(1);
      assertThat(app.received()).hasSize(10_000);
      assertThat(app.received().get(9_999).requestLine()).isEqualTo("GET /public/9999 HTTP/1.1");
    }
  }

  @Test
  void answersPipelinedRequestsInOrder() throws IOException {
    RawApp.Behaviour named =
        (request, in, out, socket) -> {
          String path = request.requestLine().split(" ")[1];
          out.write(RawApp.ok(path).getBytes(StandardCharsets.ISO_8859_1));
        };
    try (RawApp app = new RawApp(named);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", java.util.List.of(), java.util.List.of());
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < 300; i++) {
        // Every third needs the session, which is loaded on another thread the first time; every fifth a refusal.
        String path = i % 5 == 0 ? "/manager/" + i : i % 3 == 0 ? "/page/" + i : "/public/" + i;
        all.append("GET ").append(path).append(" HTTP/1.1\r\nHost: app.localhost\r\nCookie: gh_app=");
        all.append(token).append("\r\n\r\n");
      }
      client.send(all.toString());
      for (int i = 0; i < 300; i++) {
        Response response = client.read();
        if (i % 5 == 0) {
          assertThat(response.status()).isEqualTo(403);
        } else {
          assertThat(response.body()).isEqualTo(i % 3 == 0 ? "/page/" + i : "/public/" + i);
        }
      }
    }
  }

  @Test
  void framesWhatHasNoBody() throws IOException {
    try (RawApp app =
            new RawApp(
                (request, in, out, socket) -> {
                  String answer =
                      switch (request.requestLine().split(" ")[1]) {
                        case "/public/204" -> "HTTP/1.1 204 No Content\r\n\r\n";
                        case "/public/304" -> "HTTP/1.1 304 Not Modified\r\nContent-Length: 77\r\n\r\n";
                        case "/public/head" -> "HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n";
                        case String other -> "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + RawApp.ok("x");
                      };
                  out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
                });
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/204").read().field("Content-Length")).isEmpty();
      assertThat(client.get("/public/304").read().field("Content-Length")).contains("77");
      client.send("HEAD /public/head HTTP/1.1\r\nHost: app.localhost\r\n\r\n");
      assertThat(client.read(true).field("Content-Length")).contains("77");
      Response hints = client.get("/public/hints").read();
      assertThat(hints.status()).isEqualTo(103);
      assertThat(hints.field("Link")).contains("</a>");
      assertThat(client.read().body()).isEqualTo("x");
      assertThat(app.connections()).isEqualTo(1);
    }
  }

  @Test
  void carriesChunksBothWays() throws IOException {
    try (RawApp app =
            new RawApp(
                (request, in, out, socket) -> {
                  byte[] body = RawApp.readBody(request, in);
                  String text = new String(body, StandardCharsets.ISO_8859_1);
                  String answer =
                      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;ext=1\r\nabc\r\n"
                          + Integer.toHexString(text.length())
                          + "\r\n"
                          + text
                          + "\r\n0\r\nX-Trailer: 1\r\n\r\n";
                  out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
                });
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send(
          "POST /public/x HTTP/1.1\r\nHost: app.localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "4;a=\"b\"\r\nwiki\r\n5\r\npedia\r\n0\r\nX-Admin: 1\r\n\r\n");
      Response response = client.read();
      assertThat(response.body()).isEqualTo("abcwikipedia");
      assertThat(response.fields()).containsExactly("Via: 1.1 gatehouse", "Transfer-Encoding: chunked");
      assertThat(app.only().head()).contains("Transfer-Encoding: chunked").doesNotContain("X-Admin");
      assertThat(client.get("/public/again").read().status()).isEqualTo(200);
    }
  }

  @Test
  void chunksForTheClientWhatEndsWithTheAppsConnection() throws IOException {
    try (RawApp app =
            new RawApp(
                (request, in, out, socket) -> {
                  out.write("HTTP/1.1 200 OK\r\n\r\nuntil the end".getBytes(StandardCharsets.ISO_8859_1));
                  socket.close();
                });
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/1").read().body()).isEqualTo("until the end");
      assertThat(client.get("/public/2").read().body()).isEqualTo("until the end");
      client.send("GET /public/3 HTTP/1.0\r\nHost: app.localhost\r\n\r\n");
      Response old = client.read();
      assertThat(old.field("Transfer-Encoding")).isEmpty();
      assertThat(old.body()).isEqualTo("until the end");
    }
  }

  @Test
  void saysContinueOnceTheBodyIsWanted() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("thanks"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send(
          "POST /public/x HTTP/1.1\r\nHost: app.localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
      assertThat(client.read().status()).isEqualTo(100);
      assertThat(client.send("hello").read().body()).isEqualTo("thanks");
      assertThat(app.only().head()).doesNotContain("Expect");
    }
  }

  @Test
  void doesNotAskForABodyThatItRefuses() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("no"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send(
          "PUT /page HTTP/1.1\r\nHost: app.localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
      Response refused = client.read();
      assertThat(refused.status()).isEqualTo(401);
      assertThat(refused.field("Connection")).contains("close");
      assertThat(client.isClosed()).isTrue();
      assertThat(app.received()).isEmpty();
    }
  }

  @Test
  void closesWhereTheClientAsksForIt() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("bye"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      Response response = client.get("/public/", "Connection: close").read();
      assertThat(response.field("Connection")).contains("close");
      assertThat(client.isClosed()).isTrue();
    }
  }
}
