package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.CacheConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions, ranges, variants, stale responses, those that wait for the same one (RFC 9110, RFC 9111, RFC 5861). */
@Timeout(60)
class CacheValidationTest {

  private static final String TEXT = "0123456789".repeat(200);

  /** Answers by the number of the request, from 0. */
  private static RawApp numbered(String... answers) throws IOException {
    AtomicInteger number = new AtomicInteger();
    return new RawApp(
        (request, in, out, socket) -> {
          RawApp.readBody(request, in);
          String answer = answers[Math.min(number.getAndIncrement(), answers.length - 1)];
          if (answer.isEmpty()) {
            socket.close();
          } else {
            out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
          }
        });
  }

  private static String notModified(String fields) {
    return "HTTP/1.1 304 Not Modified\r\n" + fields + "\r\n";
  }

  @Test
  void aStalePageIsConfirmedWithItsValidatorsAndFreshAgain() throws IOException {
    String page = CachingTest.page("Cache-Control: max-age=10\r\nETag: \"a\"\r\nX-Kept: yes\r\nX-Old: 1\r\n", "page");
    try (RawApp app = numbered(page, notModified("ETag: \"a\"\r\nCache-Control: max-age=30\r\nX-Old: 2\r\n"));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      gateway.time().advance(Duration.ofSeconds(11));
      RawClient.Response confirmed = client.get("/public/p").read();
      assertThat(confirmed.status()).isEqualTo(200);
      assertThat(confirmed.body()).isEqualTo("page");
      assertThat(app.received().getLast().has("If-None-Match: \"a\"")).isTrue();
      gateway.time().advance(Duration.ofSeconds(29));
      RawClient.Response hit = client.get("/public/p").read();
      assertThat(hit.field("Age")).contains("29");
      assertThat(hit.field("X-Kept")).contains("yes");
      assertThat(hit.field("X-Old")).contains("2");
      assertThat(app.received()).hasSize(2);
    }
  }

  @Test
  void aConfirmationThatTakesTheSharingBackDropsThePage() throws IOException {
    String page = CachingTest.page("Cache-Control: public, max-age=10\r\nETag: \"a\"\r\n", "page");
    try (RawApp app = numbered(page, notModified("Cache-Control: private\r\n"));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      gateway.time().advance(Duration.ofSeconds(11));
      client.get("/public/p").read();
      assertThat(gateway.cache().stats("demo").responses()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          If-None-Match: "v1"                               | 304
          If-None-Match: W/"v1"                             | 304
          If-None-Match: "x", "v1"                          | 304
          If-None-Match: *                                  | 304
          If-None-Match: "v2"                               | 200
          If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT  | 304
          If-Modified-Since: Wed, 31 Dec 2025 23:59:59 GMT  | 200
          If-Modified-Since: yesterday                      | 200
          Range: bytes=0-9                                  | 206
          Range: bytes=-5                                   | 206
          Range: bytes=1995-                                | 206
          Range: bytes=2000-                                | 416
          Range: bytes=0-1,5-6                              | 200
          Range: lines=1-2                                  | 200
          Range: bytes=5-2                                  | 200
          """)
  void conditionsAndRangesAreAnsweredFromMemory(String line, int status) throws IOException {
    String page =
        CachingTest.page(
            "Cache-Control: max-age=60\r\nETag: \"v1\"\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n", TEXT);
    try (RawApp app = RawApp.answering(page);
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      RawClient.Response answer = client.get("/public/p", line).read();
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.field("Age")).contains("0");
      assertThat(app.received()).hasSize(1);
      if (status == 206) {
        String range = answer.field("Content-Range").orElseThrow();
        assertThat(range).endsWith("/2000");
        int first = Integer.parseInt(range.replaceAll("bytes (\\d+)-.*", "$1"));
        int last = Integer.parseInt(range.replaceAll(".*-(\\d+)/.*", "$1"));
        assertThat(answer.body()).isEqualTo(TEXT.substring(first, last + 1));
      }
      assertThat(client.get("/public/p").read().body()).as("the connection goes on").isEqualTo(TEXT);
    }
  }

  /** A client that names more than anybody does gets the page anew. */
  @Test
  void ofEntityTagsSixtyFourAreCompared() throws IOException {
    try (RawApp app = RawApp.answering(CachingTest.page("Cache-Control: max-age=60\r\nETag: \"v1\"\r\n", TEXT));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      assertThat(client.get("/public/p", "If-None-Match: " + "\"x\", ".repeat(63) + "\"v1\"").read().status()).isEqualTo(304);
      assertThat(client.get("/public/p", "If-None-Match: " + "\"x\", ".repeat(64) + "\"v1\"").read().status()).isEqualTo(200);
      assertThat(app.received()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"'\"v1\"',206", "'W/\"v1\"',200", "'\"v2\"',200"})
  void aRangeIsServedOnlyOfWhatTheClientHas(String ifRange, int status) throws IOException {
    try (RawApp app = RawApp.answering(CachingTest.page("Cache-Control: max-age=60\r\nETag: \"v1\"\r\n", TEXT));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      assertThat(client.get("/public/p", "Range: bytes=0-1", "If-Range: " + ifRange).read().status()).isEqualTo(status);
    }
  }

  @Test
  void aRangeOfWhatIsNotThereFillsTheCacheWithTheWhole() throws IOException {
    try (RawApp app = RawApp.answering(CachingTest.page("Cache-Control: max-age=60\r\n", TEXT));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      RawClient.Response part = client.get("/public/p", "Range: bytes=3-5").read();
      assertThat(part.status()).isEqualTo(206);
      assertThat(part.body()).isEqualTo("345");
      assertThat(client.get("/public/p").read().body()).isEqualTo(TEXT);
      assertThat(app.received()).hasSize(1);
      assertThat(app.only().head()).doesNotContain("Range:");
    }
  }

  @Test
  void headIsAnsweredFromWhatGetHasFilled() throws IOException {
    try (RawApp app = RawApp.answering(CachingTest.fresh(TEXT));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      RawClient.Response head =
          client.send("HEAD /public/p HTTP/1.1\r\nHost: app.localhost\r\n\r\n").read(true);
      assertThat(head.field("Content-Length")).contains("2000");
      assertThat(head.field("Age")).contains("0");
      assertThat(client.get("/public/p").read().body()).isEqualTo(TEXT);
      assertThat(app.received()).hasSize(1);
    }
  }

  @Test
  void variantsAreToldApart() throws IOException {
    try (RawApp app =
            new RawApp(
                (request, in, out, socket) -> {
                  String language = request.head().contains("Accept-Language: de") ? "Hallo" : "Hello";
                  String page = CachingTest.page("Cache-Control: max-age=60\r\nVary: Accept-Language\r\n", language);
                  out.write(page.getBytes(StandardCharsets.ISO_8859_1));
                  out.flush();
                });
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      for (int i = 0; i < 2; i++) {
        assertThat(client.get("/public/p", "Accept-Language: de").read().body()).isEqualTo("Hallo");
        assertThat(client.get("/public/p", "Accept-Language: en").read().body()).isEqualTo("Hello");
        assertThat(client.get("/public/p").read().body()).isEqualTo("Hello");
      }
      assertThat(app.received()).hasSize(3);
    }
  }

  @Test
  void aTextIsServedInGzipToWhoTakesIt() throws Exception {
    String page = CachingTest.page("Cache-Control: max-age=60\r\nETag: \"v1\"\r\nContent-Type: text/html\r\n", TEXT);
    try (RawApp app = RawApp.answering(page);
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p", "Accept-Encoding: gzip").read();
      RawClient.Response zipped = client.get("/public/p", "Accept-Encoding: br, gzip").read();
      for (int i = 0; i < 200 && zipped.field("Content-Encoding").isEmpty(); i++) {
        Thread.sleep(10);
        zipped = client.get("/public/p", "Accept-Encoding: br, gzip").read();
      }
      assertThat(zipped.field("Content-Encoding")).contains("gzip");
      assertThat(Thread.getAllStackTraces().keySet())
          .as("platform threads")
          .anyMatch(each -> each.getName().startsWith("gateway-compress-"));
      assertThat(zipped.field("ETag")).contains("W/\"v1\"");
      assertThat(zipped.field("Vary")).contains("Accept-Encoding");
      byte[] bytes = zipped.body().getBytes(StandardCharsets.ISO_8859_1);
      assertThat(new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes())
          .isEqualTo(TEXT.getBytes(StandardCharsets.ISO_8859_1));
      RawClient.Response plain = client.get("/public/p", "Accept-Encoding: gzip;q=0").read();
      assertThat(plain.body()).isEqualTo(TEXT);
      assertThat(plain.field("Vary")).contains("Accept-Encoding");
      assertThat(plain.field("ETag")).contains("\"v1\"");
      assertThat(client.get("/public/p", "Accept-Encoding: gzip", "Range: bytes=0-1").read().body()).isEqualTo("01");
      assertThat(app.received()).hasSize(1);
    }
  }

  @Test
  void whileTheAppIsAskedTheStalePageIsServed() throws Exception {
    String first = CachingTest.page("Cache-Control: max-age=10, stale-while-revalidate=60\r\n", "old");
    String second = CachingTest.page("Cache-Control: max-age=10\r\n", "new");
    try (RawApp app = numbered(first, second);
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      gateway.time().advance(Duration.ofSeconds(30));
      assertThat(client.get("/public/p").read().body()).isEqualTo("old");
      String body = "old";
      for (int i = 0; i < 200 && body.equals("old"); i++) {
        Thread.sleep(10);
        body = client.get("/public/p").read().body();
      }
      assertThat(body).isEqualTo("new");
      assertThat(app.received()).hasSize(2);
    }
  }

  @ParameterizedTest
  @CsvSource({"''", "'HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\noops'", "'HTTP/1.1 503 Oops\r\nContent-Length: 0\r\n\r\n'"})
  void whereTheAppFailsTheStalePageIsServedForAsLongAsThatIsForgiven(String failure) throws IOException {
    String page = CachingTest.page("Cache-Control: max-age=10\r\nETag: \"a\"\r\n", "old");
    try (RawApp app = numbered(page, failure);
        TestGateway gateway =
            CachingGateway.before(app, CachingGateway.stale(Duration.ZERO, Duration.ofSeconds(100)));
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      gateway.time().advance(Duration.ofSeconds(60));
      RawClient.Response stale = client.get("/public/p").read();
      assertThat(stale.status()).isEqualTo(200);
      assertThat(stale.body()).isEqualTo("old");
      gateway.time().advance(Duration.ofSeconds(60));
      assertThat(client.get("/public/p").read().status()).isGreaterThanOrEqualTo(500);
    }
  }

  @Test
  void whatMustBeRevalidatedIsNotServedStale() throws IOException {
    String page = CachingTest.page("Cache-Control: max-age=10, must-revalidate\r\nETag: \"a\"\r\n", "old");
    try (RawApp app = numbered(page, "");
        TestGateway gateway =
            CachingGateway.before(app, CachingGateway.stale(Duration.ofHours(1), Duration.ofHours(1)));
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      gateway.time().advance(Duration.ofSeconds(60));
      assertThat(client.get("/public/p").read().status()).isEqualTo(502);
    }
  }

  @Test
  void manyWhoAskForTheSameMakeOneRequest() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (RawApp app =
            new RawApp(
                (request, in, out, socket) -> {
                  await(go);
                  out.write(CachingTest.fresh(TEXT).getBytes(StandardCharsets.ISO_8859_1));
                  out.flush();
                });
        TestGateway gateway = CachingGateway.before(app)) {
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        clients.add(gateway.connect().get("/public/p"));
      }
      while (app.received().isEmpty()) {
        Thread.sleep(5);
      }
      Thread.sleep(200);
      go.countDown();
      for (RawClient client : clients) {
        assertThat(client.read().body()).isEqualTo(TEXT);
        client.close();
      }
      assertThat(app.received()).hasSize(1);
    }
  }

  @Test
  void whoWaitsForWhatIsNotKeptAsksForThemselves() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (RawApp app =
            new RawApp(
                (request, in, out, socket) -> {
                  await(go);
                  String own = CachingTest.page("Cache-Control: private\r\n", "nr" + request.connection());
                  out.write(own.getBytes(StandardCharsets.ISO_8859_1));
                  out.flush();
                });
        TestGateway gateway = CachingGateway.before(app)) {
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        clients.add(gateway.connect().get("/public/p"));
      }
      Thread.sleep(300);
      go.countDown();
      for (RawClient client : clients) {
        assertThat(client.read().body()).startsWith("nr");
        client.close();
      }
      assertThat(app.received()).hasSize(5);
    }
  }

  @Test
  void whoWaitsIsNotHeldUpByALeaderThatLeaves() throws Exception {
    AtomicInteger number = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);
    try (RawApp app =
            new RawApp(
                (request, in, out, socket) -> {
                  if (number.getAndIncrement() == 0) {
                    await(never);
                  }
                  out.write(CachingTest.fresh(TEXT).getBytes(StandardCharsets.ISO_8859_1));
                  out.flush();
                });
        TestGateway gateway = CachingGateway.before(app);
        RawClient leader = gateway.connect();
        RawClient follower = gateway.connect()) {
      leader.get("/public/p");
      while (app.received().isEmpty()) {
        Thread.sleep(5);
      }
      follower.get("/public/p");
      Thread.sleep(100);
      leader.close();
      assertThat(follower.read().body()).isEqualTo(TEXT);
      never.countDown();
    }
  }

  @Test
  void anUnsafeRequestDropsWhatItHasChanged() throws IOException {
    try (RawApp app = RawApp.answering(CachingTest.fresh(TEXT));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p?x=1").read();
      client.send("POST /public/p?x=1 HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 0\r\n\r\n").read();
      assertThat(client.get("/public/p?x=1").read().field("Age")).isEmpty();
      assertThat(app.received()).hasSize(3);
    }
  }

  /** Parameters that the route ignores are no part of the key, in the request's own address and in the app's Location. */
  @Test
  void anUnsafeRequestDropsWhatItHasChangedWhateverTheRouteIgnoresOfItsQuery() throws IOException {
    UnaryOperator<CacheConfig> ignoring =
        CachingGateway.request(new CacheConfig.Request(Set.of(), Set.of(), Set.of("utm_source"), false));
    String changed = "HTTP/1.1 303 See Other\r\nLocation: /public/q?utm_source=c&x=1\r\nContent-Length: 0\r\n\r\n";
    try (RawApp app =
            new RawApp(
                (request, in, out, socket) -> {
                  RawApp.readBody(request, in);
                  String answer = request.requestLine().startsWith("POST ") ? changed : CachingTest.fresh(TEXT);
                  out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
                  out.flush();
                });
        TestGateway gateway = CachingGateway.before(app, ignoring);
        RawClient client = gateway.connect()) {
      client.get("/public/p?utm_source=a").read();
      client.get("/public/q?x=1").read();
      assertThat(client.get("/public/p").read().field("Age")).contains("0");
      assertThat(client.get("/public/q?x=1&utm_source=b").read().field("Age")).contains("0");
      client.send("POST /public/p?utm_source=b HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 0\r\n\r\n").read();
      assertThat(client.get("/public/p").read().field("Age")).isEmpty();
      assertThat(client.get("/public/q?x=1").read().field("Age")).isEmpty();
    }
  }

  @Test
  void aClientCannotForceTheAppToBeAsked() throws IOException {
    try (RawApp app = RawApp.answering(CachingTest.fresh(TEXT));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      for (String line : List.of("Cache-Control: no-cache", "Cache-Control: max-age=0", "Pragma: no-cache", "Cache-Control: no-store")) {
        assertThat(client.get("/public/p", line).read().field("Age")).as(line).contains("0");
      }
      assertThat(app.received()).hasSize(1);
      assertThat(client.get("/public/other", "Cache-Control: only-if-cached").read().status()).isEqualTo(504);
      assertThat(app.received()).hasSize(1);
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
