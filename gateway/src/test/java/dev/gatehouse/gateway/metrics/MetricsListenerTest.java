package dev.gatehouse.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The listener of health and metrics over real sockets, also with clients that send or read nothing. */
@Timeout(60)
class MetricsListenerTest {

  private static final int MOST = 4;
  private static final String GET = "GET %s HTTP/1.1\r\nHost: node\r\n\r\n";

  /** More than all socket buffers of one connection hold. */
  private static final byte[] MUCH = "# a line of metrics\n".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII);

  private final Report report = new Report();
  private final MetricsListener listener =
      MetricsListener.open(new InetSocketAddress("127.0.0.1", 0), report, InstantSource.system(), MOST);
  private final List<Socket> sockets = new ArrayList<>();

  private static final class Report implements NodeReport {
    private volatile byte[] metrics = "up 1\n".getBytes(StandardCharsets.US_ASCII);
    private final AtomicBoolean ready = new AtomicBoolean(true);

    @Override
    public byte[] metrics() {
      return metrics;
    }

    @Override
    public State state(Part part) {
      return switch (part) {
        case LIVE -> new State("UP", true);
        case READY -> ready.get() ? new State("UP", true) : new State("OUT_OF_SERVICE", false);
        case SERVING -> new State(ready.get() ? "UP" : "AWAY", true);
        case NODE -> throw new IllegalStateException("a check that fails");
      };
    }
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    listener.close();
  }

  @Test
  void metricsAndHealthAreAnswered() throws IOException {
    assertThat(answer(GET.formatted("/metrics")))
        .startsWith("HTTP/1.1 200 OK\r\n")
        .contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n", "\r\nContent-Length: 5\r\n", "\r\nDate: ")
        .endsWith("\r\n\r\nup 1\n");
    assertThat(answer(GET.formatted("/metrics?name[]=up"))).endsWith("\r\n\r\nup 1\n");
    assertThat(answer(GET.formatted("/health/live"))).startsWith("HTTP/1.1 200 OK\r\n").endsWith("{\"status\":\"UP\"}");
    assertThat(answer(GET.formatted("/health/ready"))).startsWith("HTTP/1.1 200 OK\r\n").contains("application/json");
    report.ready.set(false);
    assertThat(answer(GET.formatted("/health/ready")))
        .startsWith("HTTP/1.1 503 Service Unavailable\r\n")
        .endsWith("{\"status\":\"OUT_OF_SERVICE\"}");
    assertThat(answer(GET.formatted("/health/serving"))).startsWith("HTTP/1.1 200 OK\r\n").endsWith("{\"status\":\"AWAY\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/actuator/health", "/admin/v1/realms", "/metrics/", "/Metrics", "/%6detrics", "/health/", "/health/live/x"})
  void nothingElseIsThere(String path) throws IOException {
    assertThat(answer(GET.formatted(path))).startsWith("HTTP/1.1 404 Not Found\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
  void onlyGetAndHeadAreAnswered(String method) throws IOException {
    assertThat(answer(method + " /metrics HTTP/1.1\r\nHost: node\r\n\r\n"))
        .startsWith("HTTP/1.1 405 Method Not Allowed\r\n")
        .contains("\r\nAllow: GET, HEAD\r\n");
  }

  @Test
  void everyResponseHasAnIdOfItsOwn() throws IOException {
    Set<String> ids = new HashSet<>();
    for (String request : List.of(GET.formatted("/metrics"), GET.formatted("/metrics"), GET.formatted("/nothing"), "no request\r\n\r\n")) {
      Matcher id = Pattern.compile("\r\nX-Request-Id: ([0-9a-z]{12})\r\n").matcher(answer(request));
      assertThat(id.find()).as(request).isTrue();
      ids.add(id.group(1));
    }
    assertThat(ids).hasSize(4);
  }

  @Test
  void headHasNoBody() throws IOException {
    Socket socket = connect();
    send(socket, "HEAD /metrics HTTP/1.1\r\nHost: node\r\n\r\n" + GET.formatted("/health/live"));
    assertThat(readTo(socket, "}")).contains("\r\nContent-Length: 5\r\n").doesNotContain("up 1").endsWith("{\"status\":\"UP\"}");
  }

  /** Requests that come before the response to the previous one wait for it. */
  @Test
  void requestsOfOneConnectionAreAnsweredInTurn() throws IOException {
    Socket socket = connect();
    send(socket, GET.formatted("/metrics") + GET.formatted("/nothing") + GET.formatted("/health/live"));
    String all = readTo(socket, "}");
    assertThat(all.indexOf("up 1")).isPositive().isLessThan(all.indexOf("404 Not Found"));
    assertThat(all.indexOf("404 Not Found")).isLessThan(all.indexOf("UP"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /metrics HTTP/1.1\r\n\r\n",
        "GET /metrics\r\n\r\n",
        "GET /metrics HTTP/1.1\nHost: node\n\n",
        "GET /metrics HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "\u0016\u0003\u0001\u0002\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
      })
  void whatIsNoRequestIsRefusedAndTheConnectionEnds(String bytes) throws IOException {
    Socket socket = connect();
    send(socket, bytes);
    assertThat(readToEnd(socket)).startsWith("HTTP/1.1 400 Bad Request\r\n").contains("\r\nConnection: close\r\n");
  }

  @Test
  void aHugeHeadIsRefusedBeforeItsEnd() throws IOException {
    Socket socket = connect();
    send(socket, "GET /metrics HTTP/1.1\r\nHost: node\r\nX: " + "x".repeat(9000));
    assertThat(readToEnd(socket)).startsWith("HTTP/1.1 400 Bad Request\r\n");
  }

  @ParameterizedTest
  @CsvSource({"1.0,''", "1.1,Connection: close", "1.1,Content-Length: 3", "1.1,Transfer-Encoding: chunked"})
  void aConnectionEndsAfterTheResponseWhereNoRequestCanFollow(String version, String field) throws IOException {
    Socket socket = connect();
    String line = field.isEmpty() ? "" : field + "\r\n";
    send(socket, "GET /metrics HTTP/" + version + "\r\nHost: node\r\n" + line + "\r\n");
    assertThat(readToEnd(socket)).startsWith("HTTP/1.1 200 OK").endsWith("up 1\n");
  }

  @Test
  void aCheckThatFailsIsAnsweredWithoutItsDetails() throws IOException {
    assertThat(answer(GET.formatted("/health"))).startsWith("HTTP/1.1 500 ").doesNotContain("a check that fails");
  }

  @Test
  void aLongResponseArrivesCompletely() throws IOException {
    report.metrics = MUCH;
    Socket socket = connect();
    send(socket, "GET /metrics HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n");
    String all = readToEnd(socket);
    assertThat(all.substring(all.indexOf("\r\n\r\n") + 4)).isEqualTo(new String(MUCH, StandardCharsets.US_ASCII));
  }

  /** More of them than there may be connections. */
  @Test
  void clientsThatReadNothingKeepNobodyOut() throws IOException {
    report.metrics = MUCH;
    for (int i = 0; i < MOST + 2; i++) {
      send(connect(), GET.formatted("/metrics"));
    }
    for (int i = 0; i < 3; i++) {
      assertThat(answer(GET.formatted("/health/live"))).startsWith("HTTP/1.1 200 OK\r\n");
    }
  }

  @Test
  void clientsThatSendHalfAHeadKeepNobodyOut() throws IOException {
    for (int i = 0; i < 3 * MOST; i++) {
      send(connect(), "GET /metrics HTTP/1.1\r\nHo");
    }
    assertThat(answer(GET.formatted("/health/live"))).startsWith("HTTP/1.1 200 OK\r\n");
    assertThat(connectionsThatStayOpen()).isLessThanOrEqualTo(MOST);
  }

  private int connectionsThatStayOpen() throws IOException {
    int open = 0;
    for (Socket socket : sockets) {
      socket.setSoTimeout(100);
      try {
        open += socket.getInputStream().read() < 0 ? 0 : 1;
      } catch (SocketTimeoutException e) {
        open++;
      } catch (IOException e) {
        // The connection was reset.
        continue;
      }
    }
    return open;
  }

  @Test
  void aLateHeadEndsItsConnection() throws IOException {
    Socket socket = connect();
    send(socket, "GET /metrics HTTP/1.1\r\nHo");
    long begin = System.nanoTime();
    assertThat(readToEnd(socket)).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(9));
  }

  @Test
  void aPortInUseIsAFailureThatLeavesNoThread() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      InetSocketAddress address = new InetSocketAddress("127.0.0.1", taken.getLocalPort());
      assertThatThrownBy(() -> MetricsListener.open(address, report, InstantSource.system(), MOST)).hasMessageContaining("in use");
    }
  }

  @Test
  void manyCallersShareOneComputation() throws InterruptedException {
    List<Long> computed = new ArrayList<>();
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    SharedResult<Integer> shared =
        new SharedResult<>(
            () -> {
              computed.add(System.nanoTime());
              first.countDown();
              assertThat(go).satisfies(latch -> assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue());
              return computed.size();
            },
            Duration.ZERO, System::nanoTime);
    List<Thread> callers = new ArrayList<>(List.of(Thread.startVirtualThread(shared::get)));
    assertThat(first.await(10, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < 50; i++) {
      callers.add(Thread.startVirtualThread(shared::get));
    }
    Thread.sleep(200);
    go.countDown();
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(computed).as("the first, and one for all that waited").hasSize(2);
    assertThat(shared.get()).as("one that asks later gets a new one").isEqualTo(3);
  }

  @Test
  void aResultIsKeptForItsAge() {
    long[] now = {-10};
    int[] times = {0};
    SharedResult<Integer> shared = new SharedResult<>(() -> ++times[0], Duration.ofNanos(5), () -> now[0]);
    assertThat(shared.get()).isEqualTo(1);
    now[0] = -6;
    assertThat(shared.get()).isEqualTo(1);
    now[0] = -5;
    assertThat(shared.get()).isEqualTo(2);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", listener.port());
    socket.setSoTimeout(20_000);
    sockets.add(socket);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** The whole response to a request on a connection of its own. */
  private String answer(String request) throws IOException {
    Socket socket = connect();
    send(socket, request.replaceFirst("\r\n\r\n$", "\r\nConnection: close\r\n\r\n"));
    return readToEnd(socket);
  }

  private static String readToEnd(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  private static String readTo(Socket socket, String end) throws IOException {
    StringBuilder read = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int next = in.read(); next >= 0; next = in.read()) {
      read.append((char) next);
      if (read.toString().endsWith(end)) {
        break;
      }
    }
    return read.toString();
  }
}
