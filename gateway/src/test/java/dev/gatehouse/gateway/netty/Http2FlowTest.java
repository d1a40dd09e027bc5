package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.InsecureTrustManager;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.gateway.demo.DemoCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bodies at the pace of the slower side over HTTP/2 (SECURITY-CASES 60, 61), and the JDK's client over TLS. */
@Timeout(90)
class Http2FlowTest {

  private static final int MB = 1024 * 1024;
  private static final int INITIAL_WINDOW_SIZE = 4;

  @TempDir private Path folder;

  private static RawApp.Behaviour large(long bytes, AtomicLong sent) {
    return (request, in, out, socket) -> {
      out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + bytes + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      byte[] part = new byte[64 * 1024];
      for (long i = 0; i < bytes; i += part.length) {
        out.write(part);
        sent.addAndGet(part.length);
      }
    };
  }

  @Test
  void aResponseWaitsForTheClientsWindow() throws Exception {
    AtomicLong sent = new AtomicLong();
    try (RawApp app = new RawApp(large(40L * MB, sent));
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port()).withoutCredit()) {
      client.get(1, "/public/");
      while (client.soFar(1).body().length() < 65_535) {
        client.read();
      }
      Thread.sleep(700);
      // The rest is in the kernel's buffers between app and gateway.
      assertThat(sent.get()).isLessThan(15L * MB);
      client.frame(RawHttp2.WINDOW_UPDATE, 0, 0, RawHttp2.number(100 * MB));
      client.frame(RawHttp2.WINDOW_UPDATE, 0, 1, RawHttp2.number(100 * MB));
      assertThat(client.response(1).body()).hasSize(40 * MB);
    }
  }

  @Test
  void aStreamWhoseWindowStaysClosedIsGivenUpAndOthersGoOn() throws Exception {
    CountDownLatch cut = new CountDownLatch(1);
    RawApp.Behaviour behaviour =
        (request, in, out, socket) -> {
          if (request.requestLine().contains("large")) {
            try {
              large(40L * MB, new AtomicLong()).answer(request, in, out, socket);
            } catch (IOException e) {
              cut.countDown();
            }
          } else {
            out.write("HTTP/1.1 204 No\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          }
        };
    try (RawApp app = new RawApp(behaviour);
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawHttp2 client = RawHttp2.connect(gateway.port(), INITIAL_WINDOW_SIZE, 0)) {
      client.get(1, "/public/large");
      assertThat(client.get(3, "/public/").response(3).status()).isEqualTo(204);
      assertThat(client.response(1).status()).isEqualTo(200);
      assertThat(client.response(1).reset()).contains(RawHttp2.CANCEL);
      assertThat(client.response(1).body()).isEmpty();
      assertThat(cut.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(client.get(5, "/public/").response(5).status()).isEqualTo(204);
    }
  }

  @Test
  void aClientThatTakesNothingOnManyStreamsIsEndedWhateverItPings() throws Exception {
    try (RawApp app = new RawApp(large(40L * MB, new AtomicLong()));
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawHttp2 client = RawHttp2.connect(gateway.port(), INITIAL_WINDOW_SIZE, 0).withoutCredit()) {
      for (int i = 0; i < 8; i++) {
        client.get(2 * i + 1, "/public/large");
        client.frame(RawHttp2.PING, 0, 0, new byte[8]);
      }
      assertThat(client.untilClosed()).contains(RawHttp2.ENHANCE_YOUR_CALM);
    }
  }

  @Test
  void littleIsReadAheadOfStreamsWithoutAWindow() throws Exception {
    AtomicLong sent = new AtomicLong();
    try (RawApp app = new RawApp(large(40L * MB, sent));
        TestGateway gateway = TestGateway.before(app.port(), limits -> limits);
        RawHttp2 client = RawHttp2.connect(gateway.port(), INITIAL_WINDOW_SIZE, 0).withoutCredit()) {
      for (int i = 0; i < 100; i++) {
        client.get(2 * i + 1, "/public/large");
      }
      client.await(RawHttp2.HEADERS, 199);
      Thread.sleep(1000);
      // What the kernel's buffers hold of it is not ours.
      assertThat(gateway.held()).isPositive().isLessThan(1 << 20);
    }
  }

  /** What is kept is written at once: its parts tell how far the client has come. */
  @Test
  void aSlowLineGetsAllOfAKeptPage() throws Exception {
    int size = 600_000;
    String kept =
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: " + size + "\r\n\r\n" + "k".repeat(size);
    try (RawApp app = RawApp.answering(kept);
        TestGateway gateway = TestGateway.impatientOf(CachingGateway.realm(app, config -> config));
        RawHttp2 client = RawHttp2.connect(gateway.port(), INITIAL_WINDOW_SIZE, 0).withoutCredit()) {
      try (RawClient first = gateway.connect()) {
        assertThat(first.get("/public/large").read().complete()).isTrue();
      }
      client.frame(RawHttp2.WINDOW_UPDATE, 0, 0, RawHttp2.number(size));
      client.get(1, "/public/large");
      Thread opening =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < 10; i++) {
                        Thread.sleep(200);
                        client.frame(RawHttp2.WINDOW_UPDATE, 0, 1, RawHttp2.number(size / 10));
                      }
                    } catch (IOException | InterruptedException e) {
                      return; // closed
                    }
                  });
      RawHttp2.Response response = client.response(1);
      assertThat(response.reset()).isEmpty();
      assertThat(response.body()).hasSize(size);
      opening.join();
      assertThat(app.received()).hasSize(1);
    }
  }

  @Test
  void aWindowThatOpensByTheByteBuysNoTime() throws Exception {
    try (RawApp app = new RawApp(large(40L * MB, new AtomicLong()));
        TestGateway gateway = TestGateway.before(app.port(), TestGateway::impatient);
        RawHttp2 client = RawHttp2.connect(gateway.port(), INITIAL_WINDOW_SIZE, 0).withoutCredit()) {
      client.get(1, "/public/");
      Thread dripping =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < 200; i++) {
                        client.frame(RawHttp2.WINDOW_UPDATE, 0, 1, RawHttp2.number(1));
                        Thread.sleep(50);
                      }
                    } catch (IOException | InterruptedException e) {
                      return; // closed
                    }
                  });
      long begin = System.nanoTime();
      assertThat(client.response(1).reset()).contains(RawHttp2.CANCEL);
      assertThat(System.nanoTime() - begin).isLessThan(5_000_000_000L);
      client.close();
      dripping.join();
    }
  }

  @Test
  void anUploadGetsNoCreditWhileTheAppDoesNotRead() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    RawApp.Behaviour slow =
        (request, in, out, socket) -> {
          await(go);
          int length = RawApp.readBody(request, in).length;
          out.write(RawApp.ok(String.valueOf(length)).getBytes(StandardCharsets.US_ASCII));
        };
    try (RawApp app = new RawApp(slow);
        TestGateway gateway = secure(app);
        HttpClient client = client()) {
      AtomicLong given = new AtomicLong();
      InputStream body =
          new InputStream() {
            @Override
            public int read() {
              throw new IllegalStateException("by the array only");
            }

            @Override
            public int read(byte[] to, int from, int count) {
              if (given.get() >= 40L * MB) {
                return -1;
              }
              Arrays.fill(to, from, from + count, (byte) 'x');
              given.addAndGet(count);
              return count;
            }
          };
      HttpRequest upload =
          request(gateway, "/public/").PUT(BodyPublishers.ofInputStream(() -> body)).build();
      CompletableFuture<HttpResponse<String>> answer = client.sendAsync(upload, BodyHandlers.ofString());
      Thread.sleep(1000);
      assertThat(given.get()).isLessThan(15L * MB);
      go.countDown();
      assertThat(answer.get(30, TimeUnit.SECONDS).body()).isEqualTo(String.valueOf(given.get()));
      assertThat(answer.get().version()).isEqualTo(HttpClient.Version.HTTP_2);
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
  void theJdksClientSpeaksHttp2OverTls() throws Exception {
    RawApp.Behaviour echo =
        (request, in, out, socket) -> {
          byte[] body = RawApp.readBody(request, in);
          String text = request.requestLine() + "|" + new String(body, StandardCharsets.ISO_8859_1);
          out.write(RawApp.ok(text).getBytes(StandardCharsets.ISO_8859_1));
        };
    try (RawApp app = new RawApp(echo);
        TestGateway gateway = secure(app);
        HttpClient client = client()) {
      // Requests without a connection would each open one.
      client.send(request(gateway, "/public/").build(), BodyHandlers.ofString());
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        HttpRequest request =
            request(gateway, "/public/" + i).POST(BodyPublishers.ofString("b" + "x".repeat(i * 1000))).build();
        answers.add(client.sendAsync(request, BodyHandlers.ofString()));
      }
      for (int i = 0; i < 100; i++) {
        HttpResponse<String> answer = answers.get(i).get(30, TimeUnit.SECONDS);
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(answer.body()).isEqualTo("POST /public/" + i + " HTTP/1.1|b" + "x".repeat(i * 1000));
      }
      assertThat(app.received().getFirst().has("X-Forwarded-Proto: https")).isTrue();
    }
  }

  @Test
  void thePrefaceMayTakeAMomentAfterTheHandshake() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = secure(app)) {
      SSLContext context = InsecureTrustManager.context();
      SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", gateway.port());
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      assertThat(socket.getApplicationProtocol()).isEqualTo("h2");
      Thread.sleep(700);
      try (RawHttp2 client = new RawHttp2(socket).preface()) {
        assertThat(client.get(1, "/public/").response(1).status()).isEqualTo(200);
      }
    }
  }

  @Test
  void theJdksClientMayHoldOnToHttp11() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = secure(app);
        HttpClient client = client()) {
      HttpRequest request = request(gateway, "/public/").version(HttpClient.Version.HTTP_1_1).build();
      assertThat(client.send(request, BodyHandlers.ofString()).version()).isEqualTo(HttpClient.Version.HTTP_1_1);
    }
  }

  private TestGateway secure(RawApp app) {
    DemoCertificate.ensure(folder, Instant.now(), new SecureRandom());
    Node.Tls tls = new Node.Tls(folder.resolve("demo.crt"), folder.resolve("demo.key"));
    return TestGateway.trusting(app, new Cidr(InetAddress.ofLiteral("127.0.0.0"), 8), tls);
  }

  private static HttpRequest.Builder request(TestGateway gateway, String path) {
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + gateway.port()  + path))
        .header("X-Forwarded-Host", "app.localhost")
        .header("X-Forwarded-Port", "443");
  }

  /** Its connections come from a trusted proxy, because it cannot be told another authority than the address. */
  private HttpClient client() throws Exception {
    SSLContext context = InsecureTrustManager.context();
    return HttpClient.newBuilder().sslContext(context).build();
  }
}
