package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.netty.RawApp.Received;
import dev.gatehouse.gateway.netty.RawHttp2.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** HTTP/2 in clear text with prior knowledge: the same exchanges as over HTTP/1.1, many at once. */
@Timeout(60)
class Http2Test {

  @Test
  void aRequestReachesTheAppAsHttp11() throws IOException {
    try (RawApp app = RawApp.answering(
                "HTTP/1.1 200 Fine\r\nX-Made-By: App\r\nConnection: X-Hop\r\nX-Hop: 1\r\n"
                    + "Content-Length: 5\r\n\r\nhello");
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      Response response = client.get(1, "/public/a?b=c", "accept", "*/*", "te", "trailers").response(1);
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("hello");
      assertThat(response.field("x-made-by")).contains("App");
      assertThat(response.field("content-length")).contains("5");
      assertThat(response.fields()).noneMatch(f -> f.startsWith("connection") || f.startsWith("x-hop"));
      Received received = app.only();
      assertThat(received.requestLine()).isEqualTo("GET /public/a?b=c HTTP/1.1");
      assertThat(received.has("Host: app.localhost")).isTrue();
      assertThat(received.has("accept: */*")).isTrue();
      assertThat(received.head()).doesNotContain("\r\nte:").doesNotContain("ransfer-");
    }
  }

  @Test
  void sessionsCountAndCookieCrumbsAreJoined() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      Response response =
          client.get(1, "/page", "cookie", "a=1", "x-other", "y", "cookie", "gh_app=" + token, "cookie", "b=2").response(1);
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.field("cache-control")).contains("private");
      assertThat(app.only().has("Remote-User: alice")).isTrue();
      assertThat(app.only().has("Cookie: a=1; b=2")).isTrue();
    }
  }

  @Test
  void whoIsNotKnownIsSentToLogIn() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      Response response = client.get(1, "/page").response(1);
      assertThat(response.status()).isEqualTo(303);
      assertThat(response.field("date")).isPresent();
      assertThat(response.field("cache-control")).contains("no-store");
      assertThat(client.get(3, "/.gatehouse/nothing").response(3).status()).isIn(200, 404);
      assertThat(app.received()).isEmpty();
    }
  }

  @Test
  void answersComeInTheOrderInWhichTheyAreReady() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    RawApp.Behaviour behaviour =
        (request, in, out, socket) -> {
          if (request.requestLine().contains("slow")) {
            await(first);
          }
          out.write(RawApp.ok(request.requestLine()).getBytes(StandardCharsets.ISO_8859_1));
        };
    try (RawApp app = new RawApp(behaviour);
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      client.get(1, "/public/slow");
      List<Integer> ids = new ArrayList<>();
      for (int id = 3; id < 203; id += 2) {
        client.get(id, "/public/" + id);
        ids.add(id);
      }
      for (int id : ids) {
        assertThat(client.response(id).body()).isEqualTo("GET /public/" + id + " HTTP/1.1");
      }
      assertThat(client.soFar(1).status()).isZero();
      first.countDown();
      assertThat(client.response(1).body()).isEqualTo("GET /public/slow HTTP/1.1");
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void bodiesWithAndWithoutLengthArriveWhole() throws IOException {
    RawApp.Behaviour echo =
        (request, in, out, socket) -> {
          byte[] body = RawApp.readBody(request, in);
          out.write(RawApp.ok(new String(body, StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.ISO_8859_1));
        };
    try (RawApp app = new RawApp(echo);
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      client.headers(1, false, RawHttp2.request("POST", "/public/", "content-length", "10"));
      assertThat(client.data(1, false, "hello").data(1, true, "world").response(1).body()).isEqualTo("helloworld");
      client.headers(3, false, RawHttp2.request("POST", "/public/"));
      assertThat(client.data(3, false, "hello").data(3, true, "").response(3).body()).isEqualTo("hello");
      assertThat(app.received().get(0).has("Content-Length: 10")).isTrue();
      assertThat(app.received().get(1).has("Transfer-Encoding: chunked")).isTrue();
    }
  }

  @Test
  void keptPagesAreServedFromMemory() throws IOException {
    String page = "x".repeat(14_336);
    try (RawApp app =
            RawApp.answering(
                "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 14336\r\n\r\n" + page);
        TestGateway gateway = CachingGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      for (int id = 1; id < 40; id += 2) {
        Response response = client.get(id, "/public/page").response(id);
        assertThat(response.body()).isEqualTo(page);
        assertThat(response.field("content-length")).contains("14336");
      }
      Response head = client.headers(41, true, RawHttp2.request("HEAD", "/public/page")).response(41);
      assertThat(head.body()).isEmpty();
      assertThat(head.field("content-length")).contains("14336");
      assertThat(client.get(43, "/public/page", "range", "bytes=0-4").response(43).body()).isEqualTo("xxxxx");
      assertThat(app.received()).hasSize(1);
    }
  }

  @Test
  void headHasNoBodyAndKeepsItsLength() throws IOException {
    try (RawApp app = RawApp.answering("HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n");
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      Response response = client.headers(1, true, RawHttp2.request("HEAD", "/public/")).response(1);
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.field("content-length")).contains("1234");
      assertThat(response.body()).isEmpty();
    }
  }

  @Test
  void interimResponsesComeFirst() throws IOException {
    RawApp.Behaviour hints =
        (request, in, out, socket) ->
            out.write(
                ("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" + RawApp.ok("x"))
                    .getBytes(StandardCharsets.ISO_8859_1));
    try (RawApp app = new RawApp(hints);
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      Response response = client.get(1, "/public/").response(1);
      assertThat(response.interim()).containsExactly(103);
      assertThat(response.body()).isEqualTo("x");
    }
  }

  @Test
  void whoWaitsForContinueIsTold() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("done"));
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      client.headers(1, false, RawHttp2.request("POST", "/public/", "content-length", "5", "expect", "100-continue"));
      client.await(RawHttp2.HEADERS, 1);
      assertThat(client.soFar(1).interim()).containsExactly(100);
      assertThat(client.data(1, true, "hello").response(1).body()).isEqualTo("done");
    }
  }

  @Test
  void aTruncatedResponseIsReset() throws IOException {
    RawApp.Behaviour cut =
        (request, in, out, socket) -> {
          out.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".getBytes(StandardCharsets.ISO_8859_1));
          out.flush();
          socket.close();
        };
    try (RawApp app = new RawApp(cut);
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      assertThat(client.get(1, "/public/").response(1).reset()).contains(2);
      assertThat(client.get(3, "/public/").response(3).reset()).contains(2);
    }
  }

  @Test
  void aRefusedUploadIsToldToStop() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      client.headers(1, false, RawHttp2.request("POST", "/public/%00")).data(1, false, "hello");
      assertThat(client.response(1).status()).isEqualTo(400);
      assertThat(client.await(RawHttp2.RST_STREAM, 1).number()).isEqualTo(RawHttp2.NO_ERROR);
      assertThat(client.get(3, "/public/").response(3).status()).isEqualTo(200);
    }
  }

  @Test
  void aClientThatResetsTakesItsRequestToTheAppWithIt() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    RawApp.Behaviour waiting =
        (request, in, out, socket) -> {
          if (in.read() < 0) {
            ended.countDown();
          }
        };
    try (RawApp app = new RawApp(waiting);
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      client.get(1, "/public/");
      while (app.received().isEmpty()) {
        Thread.sleep(10);
      }
      client.frame(RawHttp2.RST_STREAM, 0, 1, RawHttp2.number(RawHttp2.CANCEL));
      assertThat(ended.await(10, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void stoppingLetsRunningStreamsEnd() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    RawApp.Behaviour leisurely =
        (request, in, out, socket) -> {
          await(go);
          out.write(RawApp.ok("done").getBytes(StandardCharsets.ISO_8859_1));
        };
    try (RawApp app = new RawApp(leisurely);
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port());
        RawHttp2 idle = RawHttp2.connect(gateway.port())) {
      idle.await(RawHttp2.SETTINGS, 0);
      client.get(1, "/public/");
      while (app.received().isEmpty()) {
        Thread.sleep(10);
      }
      Thread stopping = Thread.ofVirtual().start(gateway.server()::stop);
      assertThat(client.await(RawHttp2.GOAWAY, 0).number()).isEqualTo(RawHttp2.NO_ERROR);
      go.countDown();
      assertThat(client.response(1).body()).isEqualTo("done");
      assertThat(client.untilClosed()).contains(RawHttp2.NO_ERROR);
      assertThat(idle.untilClosed()).contains(RawHttp2.NO_ERROR);
      stopping.join();
    }
  }

  /** The head of a kept page is made once a second for all connections. */
  @Test
  void aKeptPageHasTheSameHeadOnAllConnections() throws Exception {
    try (RawApp app = RawApp.answering("HTTP/1.1 200 OK\r\nCache-Control: public, max-age=600\r\nX-Page: 1\r\nContent-Length: 4\r\n\r\nkept");
        TestGateway gateway = CachingGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port());
        RawHttp2 other = RawHttp2.connect(gateway.port())) {
      assertThat(client.get(1, "/public/page").response(1).status()).isEqualTo(200);
      RawHttp2.Response first = client.get(3, "/public/page").response(3);
      RawHttp2.Response second = other.get(1, "/public/page").response(1);
      assertThat(List.of(first.body(), second.body())).containsOnly("kept");
      assertThat(first.field("x-request-id")).isNotEqualTo(second.field("x-request-id"));
      assertThat(withoutId(first)).isEqualTo(withoutId(second)).contains("cache-control: public, max-age=600", "x-page: 1", "content-length: 4");
      assertThat(first.field("cache-status").orElseThrow()).contains("hit");
      assertThat(app.received()).hasSize(1);
    }
  }

  private static List<String> withoutId(RawHttp2.Response response) {
    return response.fields().stream().filter(field -> !field.startsWith("x-request-id: ")).toList();
  }
}
