package dev.gatehouse.common.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections are reused if the response's end is explicit, and never if the server may have closed them. */
@Timeout(30)
class KeptConnectionsTest {

  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private final OutboundHttp http = new OutboundHttp(Limits.USUAL);
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
  private final AtomicInteger connections = new AtomicInteger();
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  /** After that many requests on a connection the server closes it without a response. */
  private volatile int most = Integer.MAX_VALUE;
  private volatile String response = OK;

  KeptConnectionsTest() throws IOException {
    Thread.ofVirtual().start(this::accept);
  }

  @AfterEach
  void close() throws IOException {
    http.close();
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        connections.incrementAndGet();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      for (int i = 0; i < most; i++) {
        if (!readRequest(socket.getInputStream())) {
          return;
        }
        socket.getOutputStream().write(response.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
      }
      // One more request is read and not answered.
      readRequest(socket.getInputStream());
    } catch (IOException e) {
      // The client has closed it.
    }
  }

  private static boolean readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int c = in.read();
      if (c < 0) {
        return false;
      }
      head.append((char) c);
    }
    String lower = head.toString().toLowerCase(Locale.ROOT);
    if (lower.contains("content-length: ")) {
      in.readNBytes(Integer.parseInt(lower.replaceAll("(?s).*content-length: (\\d+).*", "$1")));
    }
    return true;
  }

  private URI url(String host) {
    return URI.create("http://" + host + ":" + server.getLocalPort() + "/");
  }

  private String get() {
    return text(http.get(url("sp.localhost"), "*/*"));
  }

  private Answer post() {
    return http.post(
        url("sp.localhost"), Headers.of("Content-Type", "text/xml"), "<a/>".getBytes(StandardCharsets.UTF_8),
        Duration.ofSeconds(5), 1000);
  }

  private static String text(Answer answer) {
    return switch (answer) {
      case Answer.Received(int status, byte[] body, var location) -> new String(body, StandardCharsets.UTF_8);
      case Answer.Failed(var cause, String problem) -> "failed: " + problem;
    };
  }

  @Test
  void oneAfterTheOtherNeedsOneConnection() {
    for (int i = 0; i < 10; i++) {
      assertThat(get()).isEqualTo("ok");
      assertThat(text(post())).isEqualTo("ok");
    }
    assertThat(connections).hasValue(1);
  }

  @Test
  void anotherNameIsAnotherConnection() {
    get();
    assertThat(text(http.get(url("idp.localhost"), "*/*"))).isEqualTo("ok");
    assertThat(connections).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nTrailer: x\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
      })
  void isKeptWhereTheEndIsTold(String answer) {
    response = answer;
    for (int i = 0; i < 3; i++) {
      assertThat(get()).isEqualTo("ok");
    }
    assertThat(connections).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nConnection: Keep-Alive, Close\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
      })
  void isNotKeptOtherwise(String answer) {
    response = answer;
    for (int i = 0; i < 3; i++) {
      assertThat(get()).isEqualTo("ok");
    }
    assertThat(connections).hasValue(3);
  }

  @Test
  void twoLengthsAreNoAnswer() {
    response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\nok";
    assertThat(get()).startsWith("failed: ProtocolException: ").contains("Content-Length");
    response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: identity\r\n\r\nok";
    assertThat(get()).startsWith("failed: ").contains("identity");
  }

  @Test
  void oneThatItsServerClosedIsNotUsed() throws Exception {
    get();
    for (Socket socket : open) {
      socket.close();
    }
    Thread.sleep(50);
    assertThat(text(post())).isEqualTo("ok");
    assertThat(connections).hasValue(2);
  }

  @Test
  void oneThatIsIdleForTwoSecondsIsClosed() throws Exception {
    get();
    Thread.sleep(2_100);
    assertThat(text(post())).isEqualTo("ok");
    assertThat(connections).hasValue(2);
    Thread.sleep(4_100);
    assertThat(open).allSatisfy(socket -> assertThat(isClosed(socket)).isTrue());
  }

  private static boolean isClosed(Socket socket) {
    if (socket.isClosed()) {
      return true;
    }
    try {
      socket.setSoTimeout(1000);
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return socket.isClosed();
    }
  }

  @Test
  void aGetIsRepeatedWhereTheServerLeftWithoutAnAnswer() {
    most = 1;
    assertThat(get()).isEqualTo("ok");
    assertThat(get()).isEqualTo("ok");
    assertThat(connections).hasValue(2);
  }

  /** The server may have processed the POST. */
  @Test
  void aPostIsNot() {
    most = 1;
    assertThat(text(post())).isEqualTo("ok");
    assertThat(post()).isInstanceOf(Answer.Failed.class);
    assertThat(connections).hasValue(1);
    assertThat(text(post())).isEqualTo("ok");
  }

  @Test
  void manyAtTheSameTimeDoNotMixTheirAnswers() throws Exception {
    List<Thread> threads = new CopyOnWriteArrayList<>();
    AtomicInteger right = new AtomicInteger();
    for (int i = 0; i < 50; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int n = 0; n < 20; n++) {
                      if (text(post()).equals("ok")) {
                        right.incrementAndGet();
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(right).hasValue(1000);
    assertThat(connections.get()).isLessThan(900);
  }
}
