package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Apps that refuse, hang, lie and die: that client alone is told, and nobody gets another's bytes. */
@Timeout(60)
class BadAppsTest {

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  @Test
  void anAppThatIsNotThereIsA502() throws IOException {
    int free = FreePorts.one();
    try (TestGateway gateway = TestGateway.before(free, l -> l);
        RawClient client = gateway.connect()) {
      Response response = client.get("/public/").read();
      assertThat(response.status()).isEqualTo(502);
      assertThat(response.body()).contains("upstream-failed", "reference");
      assertThat(client.get("/public/").read().status()).isEqualTo(502);
      assertThat(gateway.meters().counter("gatehouse.gateway.upstream.failures", "kind", "unreachable").count())
          .isEqualTo(2);
    }
  }

  @Test
  void anAppThatHangsIsA504() throws IOException {
    try (RawApp app = new RawApp((request, in, out, socket) -> in.read());
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      Response response = client.get("/public/").read();
      assertThat(response.status()).isEqualTo(504);
      assertThat(response.body()).contains("upstream-timeout");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
        "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX : a\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: a\0\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        "HTTP/1.1 999 No\r\n\r\n",
        "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/3.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Le"
      })
  void aResponseThatCannotBeReadIsA502(String answer) throws IOException {
    RawApp.Behaviour lying =
        (request, in, out, socket) -> {
          write(out, answer);
          socket.close();
        };
    try (RawApp app = new RawApp(lying);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().status()).isEqualTo(502);
      // This client's connection is as good as before.
      assertThat(client.get("/public/").read().status()).isEqualTo(502);
    }
  }

  @Test
  void anEndlessHeadIsA502() throws IOException {
    try (RawApp app = RawApp.answering("HTTP/1.1 200 OK\r\nX: " + "a".repeat(100_000));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().status()).isEqualTo(502);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello!\r\n0\r\n\r\n"
      })
  void aBodyThatBreaksOffIsSeenToBreakOff(String answer) throws IOException {
    RawApp.Behaviour dying =
        (request, in, out, socket) -> {
          write(out, answer);
          socket.close();
        };
    try (RawApp app = new RawApp(dying);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      Response response = client.get("/public/").read();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.complete()).isFalse();
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void anAppThatStopsInTheMiddleIsCutOff() throws IOException {
    RawApp.Behaviour stalling =
        (request, in, out, socket) -> {
          write(out, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
          in.read();
        };
    try (RawApp app = new RawApp(stalling);
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().complete()).isFalse();
    }
  }

  @Test
  void bytesBehindAResponseReachNobody() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("mine") + RawApp.ok("somebody else's"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      for (int i = 0; i < 20; i++) {
        assertThat(client.get("/public/").read().body()).isEqualTo("mine");
      }
      assertThat(app.connections()).isEqualTo(20);
    }
  }

  @Test
  void bytesOfAnIdleConnectionReachNobody() throws Exception {
    RawApp.Behaviour late =
        (request, in, out, socket) -> {
          write(out, RawApp.ok("mine"));
          if (request.connection() == 1) {
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        Thread.sleep(100);
                        write(out, RawApp.ok("poison"));
                      } catch (IOException | InterruptedException e) {
                        return; // closed meanwhile
                      }
                    });
          }
        };
    try (RawApp app = new RawApp(late);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().body()).isEqualTo("mine");
      Thread.sleep(400);
      assertThat(client.get("/public/").read().body()).isEqualTo("mine");
      assertThat(app.connections()).isEqualTo(2);
    }
  }

  /** Closes every connection after its first response, when the next request arrives. */
  private static RawApp.Behaviour closingOnTheSecond(AtomicInteger perConnection) {
    return (request, in, out, socket) -> {
      RawApp.readBody(request, in);
      if (perConnection.getAndSet(request.connection()) == request.connection()) {
        socket.close();
        return;
      }
      write(out, RawApp.ok("ok"));
    };
  }

  @Test
  void aStaleConnectionIsRepeatedForWhatMayBeRepeated() throws IOException {
    try (RawApp app = new RawApp(closingOnTheSecond(new AtomicInteger()));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/1").read().body()).isEqualTo("ok");
      assertThat(client.get("/public/2").read().body()).isEqualTo("ok");
      assertThat(app.received().stream().map(RawApp.Received::requestLine))
          .containsExactly("GET /public/1 HTTP/1.1", "GET /public/2 HTTP/1.1", "GET /public/2 HTTP/1.1");
    }
  }

  @Test
  void aPostIsNeverSentTwice() throws IOException {
    try (RawApp app = new RawApp(closingOnTheSecond(new AtomicInteger()));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/1").read().body()).isEqualTo("ok");
      client.send("POST /public/2 HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 2\r\n\r\nhi");
      assertThat(client.read().status()).isEqualTo(502);
      assertThat(app.received().stream().filter(r -> r.requestLine().startsWith("POST"))).hasSize(1);
    }
  }

  @Test
  void anAnswerBeforeTheRequestIsCompleteIsDeliveredAndTheConnectionClosed() throws IOException {
    RawApp.Behaviour early = (request, in, out, socket) -> write(out, RawApp.ok("too much"));
    try (RawApp app = new RawApp(early);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send("POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 1000000\r\n\r\nfirst part");
      Response response = client.read();
      assertThat(response.body()).isEqualTo("too much");
      assertThat(response.field("Connection")).contains("close");
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void manyClientsGetTheirOwnAnswersWhileAppsDie() throws Exception {
    RawApp.Behaviour moody =
        (request, in, out, socket) -> {
          String path = request.requestLine().split(" ")[1];
          int number = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
          switch (number % 5) {
            case 0 -> socket.close();
            case 1 -> write(out, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + path);
            case 2 -> write(out, RawApp.ok(path) + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison");
            default -> write(out, RawApp.ok(path));
          }
          if (number % 5 == 1) {
            socket.close();
          }
        };
    try (RawApp app = new RawApp(moody);
        TestGateway gateway = TestGateway.before(app)) {
      List<Thread> clients = new java.util.ArrayList<>();
      List<String> wrong = new java.util.concurrent.CopyOnWriteArrayList<>();
      for (int c = 0; c < 16; c++) {
        int id = c;
        clients.add(Thread.ofVirtual().start(() -> ask(gateway, id, wrong)));
      }
      for (Thread client : clients) {
        client.join();
      }
      assertThat(wrong).isEmpty();
    }
  }

  private static void ask(TestGateway gateway, int id, List<String> wrong) {
    for (int i = 0; i < 60; i++) {
      String path = "/public/" + id + "/" + i;
      try (RawClient client = gateway.connect()) {
        Response response = client.get(path).read();
        boolean right =
            switch (i % 5) {
              case 0 -> response.status() == 502;
              case 1 -> !response.complete() && response.body().equals(path);
              default -> response.complete() && response.body().equals(path);
            };
        if (!right) {
          wrong.add(path + ": " + response);
        }
      } catch (IOException e) {
        wrong.add(path + ": " + e);
      }
    }
  }
}
