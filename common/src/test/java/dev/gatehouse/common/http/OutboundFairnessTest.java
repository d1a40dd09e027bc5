package dev.gatehouse.common.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.OutboundHttp.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Redirects, many names, or a socket that one partner never reads cost others nothing, and end in time. */
@Timeout(120)
class OutboundFairnessTest {

  private static final Duration TOTAL = Duration.ofSeconds(30);
  private static final AddressResolver.Lookup HERE = host -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};

  private static OutboundHttp client(Duration total, HttpClientExchanges.MaxConnections maxConnections) {
    return new OutboundHttp(new Limits(total, total, 1 << 20), OutboundTrust.with(List.of()), maxConnections, HERE);
  }

  private static HttpServer server(HttpHandler handler) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", handler);
    server.start();
    return server;
  }

  /** Three redirects, each answered well within the total time, and all of them not. */
  @Test
  void redirectsShareOneDeadline() throws Exception {
    Duration total = Duration.ofMillis(1500);
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    HttpServer server =
        server(
            exchange -> {
              int hop = asked.incrementAndGet();
              try {
                assertThat(never.await(700, TimeUnit.MILLISECONDS)).isFalse();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              if (hop < 4) {
                exchange.getResponseHeaders().add("Location", "/hop" + hop);
              }
              exchange.sendResponseHeaders(hop < 4 ? 302 : 200, -1);
              exchange.close();
            });
    try (OutboundHttp http = client(total, new HttpClientExchanges.MaxConnections(2, 4))) {
      long begin = System.nanoTime();

      Answer answer = http.get(URI.create("http://redirects.example:" + server.getAddress().getPort() + "/"), "*/*");

      assertThat(answer)
          .isInstanceOfSatisfying(Answer.Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.TIMEOUT));
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(total.minusMillis(5), Duration.ofSeconds(20));
      assertThat(asked.get()).isBetween(1, 3);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void anUploadThatIsNeverReadEndsByTheDeadline() throws Exception {
    Duration total = Duration.ofMillis(1500);
    List<Socket> held = new ArrayList<>();
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.ofLiteral("127.0.0.1"));
        OutboundHttp http = client(total, new HttpClientExchanges.MaxConnections(2, 4))) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  while (true) {
                    held.add(silent.accept());
                  }
                } catch (IOException e) {
                  // The end of the test.
                }
              });
      long begin = System.nanoTime();

      Answer answer =
          http.post(
              URI.create("http://silent.example:" + silent.getLocalPort() + "/"),
              Headers.of("Content-Type", "text/xml"), new byte[64 << 20], total, 1000);

      assertThat(answer)
          .isInstanceOfSatisfying(
              Answer.Failed.class,
              failed -> {
                assertThat(failed.cause()).isEqualTo(Cause.TIMEOUT);
                assertThat(failed.problem()).startsWith("no complete answer within 1500 ms");
              });
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(total.minusMillis(5), Duration.ofSeconds(20));
    } finally {
      for (Socket socket : held) {
        socket.close();
      }
    }
  }

  /** Hundreds of names of one owner, all of which hang: the other half of the permits stays available to others. */
  @ParameterizedTest
  @CsvSource({"n%d.owner.co.uk,innocent.other.co.uk", "203.0.113.%d,198.51.100.7", "[2001:db8:1:%d::1],[2001:db8:2::1]"})
  void hundredsOfHangingHostsOfOneOwnerLeavePlacesToOthers(String names, String other) throws Exception {
    HttpServer good = server(OutboundFairnessTest::answered);
    try (DrippingServer hanging = new DrippingServer("HTTP/1.1 200 OK\r\n\r\n", "x");
        OutboundHttp http = client(TOTAL, new HttpClientExchanges.MaxConnections(4, 40));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> waiting = new ArrayList<>();
      for (int i = 1; i <= 200; i++) {
        URI url = URI.create("http://" + names.formatted(i) + ":" + hanging.port() + "/");
        waiting.add(threads.submit(() -> http.get(url, "*/*")));
      }
      Eventually.holds(() -> hanging.open() == 20);
      for (int i = 0; i < 50; i++) {
        assertThat(http.get(URI.create("http://" + other + ":" + good.getAddress().getPort() + "/"), "*/*"))
            .isInstanceOf(Answer.Received.class);
      }
      assertThat(hanging.open()).isEqualTo(20);
      // If more than eight names of one owner are being looked up at the same moment, the others are refused at once.
      assertThat(waiting)
          .filteredOn(Future::isDone)
          .allSatisfy(refused -> assertThat(refused.get().toString()).contains("the name was not looked up"));
      http.close();
    } finally {
      good.stop(0);
    }
  }

  /** Callers that wait for one host that hangs hold no permit that another host of the same organisation needs. */
  @Test
  void oneHangingHostLeavesPlacesToOthersOfItsDomain() throws Exception {
    HttpServer good = server(OutboundFairnessTest::answered);
    try (DrippingServer hanging = new DrippingServer("HTTP/1.1 200 OK\r\n\r\n", "x");
        OutboundHttp http = client(TOTAL, new HttpClientExchanges.MaxConnections(4, 40));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> waiting = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        URI url = URI.create("http://wiki.university.example:" + hanging.port() + "/");
        waiting.add(threads.submit(() -> http.get(url, "*/*")));
      }
      Eventually.holds(() -> hanging.open() == 4);
      for (int i = 0; i < 50; i++) {
        assertThat(http.get(URI.create("http://mail.university.example:" + good.getAddress().getPort() + "/"), "*/*"))
            .isInstanceOf(Answer.Received.class);
      }
      assertThat(waiting).noneMatch(Future::isDone);
      http.close();
    } finally {
      good.stop(0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "idp.example.org,example.org", "example.org,example.org", "a.b.example.co.uk,example.co.uk", "intranet,intranet",
    "co.uk,co.uk", "someone.github.io,someone.github.io"
  })
  void ownersAreThoseOfThePublicSuffixList(String host, String owner) {
    assertThat(RegistrableDomain.of(host)).isEqualTo(owner);
  }

  @Test
  void permitsThatNobodyUsesAreForgotten() throws Exception {
    FairPermits<String> permits = new FairPermits<>(1);
    assertThat(permits.acquire("a", 0)).isTrue();
    assertThat(permits.acquire("a", 0)).isFalse();
    assertThat(permits.acquire("b", 0)).isTrue();
    assertThat(permits.size()).isEqualTo(2);
    permits.release("a");
    permits.release("b");
    assertThat(permits.size()).isZero();
    assertThat(permits.acquire("a", 0)).isTrue();
  }

  private static void answered(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }
}
