package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What RFC 9110 to 9113 and 9213 say of proxies and caches, as clients and apps see it. */
@Timeout(60)
class HttpConformanceTest {

  private static final String GET = "GET /public/ HTTP/1.1\r\nHost: app.localhost\r\n\r\n";

  private static List<String> via(List<String> fields) {
    return fields.stream().filter(f -> f.regionMatches(true, 0, "via:", 0, 4)).map(f -> f.substring(4).strip()).toList();
  }

  @Test
  void viaNamesUsInBothDirectionsAndNoHost() throws IOException {
    try (RawApp app = RawApp.answering("HTTP/1.1 200 OK\r\nVia: 1.1 inner\r\nContent-Length: 2\r\n\r\nok");
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      RawClient.Response response = client.get("/public/", "Via: 1.0 outer").read();
      assertThat(via(app.only().head().lines().toList())).containsExactly("1.0 outer", "1.1 gatehouse");
      assertThat(via(response.fields())).containsExactly("1.1 inner", "1.1 gatehouse");
      client.send("GET /public/ HTTP/1.0\r\nHost: app.localhost\r\n\r\n").read();
      assertThat(via(app.received().getLast().head().lines().toList())).containsExactly("1.0 gatehouse");
    }
  }

  @Test
  void viaSaysThatAClientCameByHttp2() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      assertThat(via(client.get(1, "/public/").response(1).fields())).containsExactly("1.1 gatehouse");
      assertThat(via(app.only().head().lines().toList())).containsExactly("2.0 gatehouse");
    }
  }

  @Test
  void aKeptResponseNamesUsOnce() throws IOException {
    try (RawApp app = RawApp.answering(CachingTest.fresh("page"));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(via(client.get("/public/p").read().fields())).containsExactly("1.1 gatehouse");
      RawClient.Response kept = client.get("/public/p").read();
      assertThat(kept.field("Age")).contains("0");
      assertThat(via(kept.fields())).containsExactly("1.1 gatehouse");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"chunked", "Chunked", "CHUNKED"})
  void codingsHaveNoCase(String coding) throws IOException {
    try (RawApp app =
            RawApp.answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: " + coding + "\r\n\r\n2\r\nok\r\n0\r\n\r\n");
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send(
          "POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nTransfer-Encoding: " + coding + "\r\n\r\n4\r\nbody\r\n0\r\n\r\n");
      assertThat(client.read().body()).isEqualTo("ok");
      assertThat(client.get("/public/").read().body()).isEqualTo("ok");
      assertThat(app.received()).hasSize(2);
      assertThat(app.received().getFirst().has("Transfer-Encoding: chunked")).isTrue();
    }
  }

  @Test
  void aFewEmptyLinesBeforeARequestAreSkipped() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      for (String before : List.of("", "\r\n", "\r\n\r\n")) {
        assertThat(client.send(before + GET).read().status()).as("%d bytes", before.length()).isEqualTo(200);
      }
      for (String piece : List.of("\r", "\n", "\r", "\n" + GET.substring(0, 1), GET.substring(1))) {
        client.send(piece);
      }
      assertThat(client.read().status()).isEqualTo(200);
      String post = "POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 4\r\n\r\nbody";
      client.send(post + "\r\n" + GET);
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(client.read().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n\n", "\r\n\r\n\r\n", " \r\n", "\r\r\n"})
  void moreThanEmptyLinesAreNotSkipped(String before) throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.send(before + GET).read().status()).isEqualTo(400);
      assertThat(app.received()).isEmpty();
    }
  }

  @Test
  void cdnCacheControlIsForUsAndCacheControlForTheClient() throws IOException {
    String lines = "Cache-Control: no-store\r\nExpires: 0\r\nCDN-Cache-Control: max-age=60\r\n";
    try (RawApp app = RawApp.answering(CachingTest.page(lines, "page"));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      RawClient.Response kept = client.get("/public/p").read();
      assertThat(kept.field("Age")).contains("0");
      assertThat(kept.field("Cache-Control")).contains("no-store");
      assertThat(app.received()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CDN-Cache-Control: no-store", "CDN-Cache-Control: private", "CDN-Cache-Control: max-age=0",
        "Cache-Control: no-store\r\nCDN-Cache-Control: max-age=60,"
      })
  void cdnCacheControlForbidsWhatCacheControlAllows(String lines) throws IOException {
    String control = lines.startsWith("Cache-Control") ? "" : "Cache-Control: max-age=60\r\n";
    try (RawApp app = RawApp.answering(CachingTest.page(control + lines + "\r\n", "page"));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      assertThat(client.get("/public/p").read().field("Age")).isEmpty();
      assertThat(app.received()).hasSize(2);
    }
  }

  /** One that cannot be read, or holds nothing that can be used (RFC 9213, section 2.2). */
  @ParameterizedTest
  @ValueSource(strings = {"no-store;", "x", "max-age=\"60\""})
  void anUnusableCdnCacheControlLeavesItToCacheControl(String value) throws IOException {
    String control = "Cache-Control: max-age=60\r\nCDN-Cache-Control: " + value + "\r\n";
    try (RawApp app = RawApp.answering(CachingTest.page(control, "page"));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/p").read();
      assertThat(client.get("/public/p").read().field("Age")).contains("0");
    }
  }

  /** The app hears of it once the client has kept its word. */
  @Test
  void noBodyOfHttp2IsBelievedWhenItHasEnded() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      client.headers(1, false, RawHttp2.request("POST", "/public/", "content-length", "0")).data(1, true, "x");
      assertThat(client.response(1).reset()).contains(RawHttp2.PROTOCOL_ERROR);
      client.headers(3, false, RawHttp2.request("POST", "/public/", "content-length", "0")).data(3, false, "");
      client.data(3, true, "");
      assertThat(client.response(3).status()).isEqualTo(200);
      client.headers(5, false, RawHttp2.request("GET", "/public/", "content-length", "0")).headers(5, true, "x-trailer", "y");
      assertThat(client.response(5).status()).isEqualTo(200);
      client.headers(7, true, RawHttp2.request("POST", "/public/", "content-length", "0"));
      assertThat(client.response(7).status()).isEqualTo(200);
      assertThat(app.received()).as("none but those that kept it").hasSize(3);
    }
  }
}
