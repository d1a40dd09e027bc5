package dev.gatehouse.common.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.OutboundHttp.Limits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
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

/** One deadline for the whole exchange, however slowly bytes come, and separate permits for a destination that hangs. */
@Timeout(60)
class OutboundDeadlineTest {

  private static final Duration TOTAL = Duration.ofMillis(1500);
  private static final Limits LIMITS = new Limits(Duration.ofMillis(1400), TOTAL, 1 << 20);
  private static final HttpClientExchanges.MaxConnections FEW = new HttpClientExchanges.MaxConnections(2, 4);

  private static OutboundHttp client(HttpClientExchanges.MaxConnections maxConnections, AddressResolver.Lookup lookup) {
    return new OutboundHttp(LIMITS, OutboundTrust.with(List.of()), maxConnections, lookup);
  }

  private static OutboundHttp client() {
    return client(FEW, InetAddress::getAllByName);
  }

  /** A TLS record of 16 KB that never completes (RFC 8446, section 5.1), a head, chunks, and a body of a known length. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "https|\\x16\\x03\\x03\\x3f\\xff|\\x02|in the TLS handshake",
        "http|HTTP/1.1 200 OK\\r\\nX: |x|waiting for the response",
        "http|HTTP/1.1 200 OK\\r\\n\\r\\n|x|waiting for the response",
        "http|HTTP/1.1 200 OK\\r\\nContent-Length: 100000\\r\\n\\r\\n|x|waiting for the response",
        "http|HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n|1\\r\\nx\\r\\n|waiting for the response",
        "http||HTTP/1.1 100 Continue\\r\\n\\r\\n|waiting for the response"
      })
  void dripsMeetTheDeadlineAndGiveTheirPlaceBack(String scheme, String beginning, String drop, String phase)
      throws Exception {
    try (DrippingServer server = new DrippingServer(unescaped(beginning), unescaped(drop));
        OutboundHttp http = client();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> asked = new ArrayList<>();
      for (String host : List.of("127.0.0.1", "idp.localhost")) {
        asked.add(
            threads.submit(
                () -> {
                  long begin = System.nanoTime();
                  Answer answer = http.get(URI.create(scheme + "://" + host + ":" + server.port() + "/"), "*/*");
                  assertThat(answer)
                      .isEqualTo(new Answer.Failed(Cause.TIMEOUT, "no complete answer within 1500 ms, " + phase));
                  assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(TOTAL.minusMillis(5), Duration.ofSeconds(30));
                }));
      }
      for (Future<?> one : asked) {
        one.get();
      }
      Eventually.holds(() -> server.open() == 0);
    }
  }

  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; text != null && i < text.length(); i++) {
      if (text.charAt(i) != '\\') {
        plain.append(text.charAt(i));
      } else if (text.charAt(i + 1) == 'x') {
        plain.append((char) Integer.parseInt(text.substring(i + 2, i + 4), 16));
        i += 3;
      } else {
        plain.append(text.charAt(++i) == 'r' ? '\r' : '\n');
      }
    }
    return plain.toString();
  }

  @Test
  void aNameServerThatHangsMeetsTheDeadlineTooAndHoldsOneThread() throws Exception {
    CountDownLatch answering = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    AddressResolver.Lookup hanging =
        host -> {
          asked.incrementAndGet();
          await(answering);
          throw new UnknownHostException(host);
        };
    try (OutboundHttp http = client(FEW, hanging);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        answers.add(threads.submit(() -> http.get(URI.create("http://hangs.example/"), "*/*")));
      }
      for (Future<Answer> answer : answers) {
        assertThat(answer.get())
            .isEqualTo(new Answer.Failed(Cause.TIMEOUT, "no complete answer within 1500 ms, looking up the name"));
      }
      assertThat(asked).hasValue(1);
      answering.countDown();
      Eventually.holds(
          () ->
              http.get(URI.create("http://hangs.example/"), "*/*") instanceof Answer.Failed failed
                  && failed.cause() == Cause.NAME_UNKNOWN);
    } finally {
      answering.countDown();
    }
  }

  /** Each of a hundred names of one owner hangs: most threads stay free, and a caller that finds no permit is refused at once. */
  @Test
  void namesOfOneOwnerThatHangLeaveLookupsToOthers() throws Exception {
    CountDownLatch answering = new CountDownLatch(1);
    AtomicInteger hanging = new AtomicInteger();
    AddressResolver.Lookup lookup =
        host -> {
          if (host.endsWith(".owner.co.uk")) {
            hanging.incrementAndGet();
            await(answering);
          }
          throw new UnknownHostException(host);
        };
    try (OutboundHttp http = client(new HttpClientExchanges.MaxConnections(2, 500), lookup);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        String name = "n" + i + ".owner.co.uk";
        answers.add(threads.submit(() -> http.get(URI.create("http://" + name + "/"), "*/*")));
      }
      assertThat(http.get(URI.create("http://innocent.other.co.uk/"), "*/*"))
          .isInstanceOfSatisfying(Answer.Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.NAME_UNKNOWN));
      int refused = 0;
      for (Future<Answer> answer : answers) {
        refused +=
            answer.get() instanceof Answer.Failed failed
                    && failed.problem().equals(
                        "the name was not looked up: 8 other names of owner.co.uk wait for their name servers")
                ? 1
                : 0;
      }
      assertThat(hanging).hasValue(8);
      assertThat(refused).isEqualTo(92);
    } finally {
      answering.countDown();
    }
  }

  @Test
  void theQueueOfLookupsIsBounded() throws Exception {
    CountDownLatch answering = new CountDownLatch(1);
    AddressResolver.Lookup lookup =
        host -> {
          await(answering);
          throw new UnknownHostException(host);
        };
    try (OutboundHttp http = client(new HttpClientExchanges.MaxConnections(2, 500), lookup);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        String name = "owner" + i + ".example";
        answers.add(threads.submit(() -> http.get(URI.create("http://" + name + "/"), "*/*")));
      }
      int refused = 0;
      for (Future<Answer> answer : answers) {
        refused +=
            answer.get() instanceof Answer.Failed failed && failed.problem().contains("288 other names wait") ? 1 : 0;
      }
      assertThat(refused).isEqualTo(300 - 288);
    } finally {
      answering.countDown();
    }
  }

  @Test
  void aConnectionThatIsNeverAcceptedMeetsTheConnectTimeout() throws Exception {
    // A queue of one that is full: Linux drops further SYNs.
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
        OutboundHttp http = client(new HttpClientExchanges.MaxConnections(50, 50), InetAddress::getAllByName);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> answers = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        answers.add(threads.submit(() -> http.get(URI.create("http://127.0.0.1:" + full.getLocalPort() + "/"), "*/*")));
      }
      for (Future<Answer> answer : answers) {
        assertThat(answer.get(20, TimeUnit.SECONDS))
            .isInstanceOfSatisfying(Answer.Failed.class, f -> assertThat(f.cause()).isEqualTo(Cause.TIMEOUT));
      }
    }
  }

  @Test
  void aHangingDestinationHasSoManyPlacesAndOthersAreServedMeanwhile() throws Exception {
    HttpServer good = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    good.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    good.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    good.start();
    try (DrippingServer hanging = new DrippingServer("HTTP/1.1 200 OK\r\n\r\n", "x");
        OutboundHttp http = client();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> waiting = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        waiting.add(threads.submit(() -> http.get(URI.create("http://127.0.0.1:" + hanging.port() + "/"), "*/*")));
      }
      Eventually.holds(() -> hanging.open() == FEW.perDestination());
      int served = 0;
      while (waiting.stream().noneMatch(Future::isDone)) {
        assertThat(http.get(URI.create("http://127.0.0.1:" + good.getAddress().getPort() + "/"), "*/*"))
            .isInstanceOf(Answer.Received.class);
        int open = hanging.open();
        // Once the first is given up, the server may see its successor before it sees the end.
        if (waiting.stream().noneMatch(Future::isDone)) {
          assertThat(open).isEqualTo(FEW.perDestination());
        }
        served++;
      }
      assertThat(served).isPositive();
      for (Future<Answer> one : waiting) {
        assertThat(one.get())
            .isInstanceOfSatisfying(Answer.Failed.class, f -> assertThat(f.cause()).isEqualTo(Cause.TIMEOUT));
      }
    } finally {
      good.stop(0);
    }
  }

  /** A name server that answers differently the second time: the address that was checked is the one that is connected to. */
  @Test
  void aLookupThatEndedWithAnErrorIsBegunAgain() {
    AtomicInteger asked = new AtomicInteger();
    AddressResolver.Lookup failing =
        host -> {
          asked.incrementAndGet();
          throw new StackOverflowError("of the test");
        };
    try (OutboundHttp http = client(FEW, failing)) {
      for (int i = 0; i < 2; i++) {
        assertThat(http.get(URI.create("http://fails.example/"), "*/*"))
            .isInstanceOfSatisfying(
                Answer.Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.NAME_UNKNOWN));
      }
      assertThat(asked).hasValue(2);
    }
  }

  @Test
  void theAddressThatWasCheckedIsTheOneThatIsConnectedTo() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    AddressResolver.Lookup rebinding =
        host ->
            new InetAddress[] {
              InetAddress.getByAddress(
                  host, asked.incrementAndGet() == 1 ? new byte[] {(byte) 192, 0, 2, 1} : new byte[] {127, 0, 0, 1})
            };
    AtomicInteger called = new AtomicInteger();
    try (ServerSocket inside = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"));
        PublicHttp http =
            new PublicHttp(
                address -> address.getAddress()[0] != 127, LIMITS, OutboundTrust.with(List.of()), FEW, rebinding)) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  inside.accept().close();
                  called.incrementAndGet();
                } catch (java.io.IOException e) {
                  // Nobody called, as the test expects.
                }
              });
      http.get(URI.create("http://rebind.example:" + inside.getLocalPort() + "/"), "*/*");
      assertThat(asked).hasValue(1);
      assertThat(http.get(URI.create("http://rebind.example:" + inside.getLocalPort() + "/"), "*/*"))
          .isInstanceOfSatisfying(Answer.Failed.class, f -> assertThat(f.cause()).isEqualTo(Cause.ADDRESS_REFUSED));
      assertThat(called).hasValue(0);
    }
  }

  @Test
  void afterTheNodeHasStoppedThereIsAnAnswerToo() {
    OutboundHttp http = client();
    http.close();
    assertThat(http.get(URI.create("http://127.0.0.1:1/"), "*/*"))
        .isInstanceOfSatisfying(Answer.Failed.class, f -> assertThat(f.cause()).isEqualTo(Cause.CONNECTION));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
