package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Responses that come from memory, end to end. */
@Timeout(60)
class CachingTest {

  static final String PAGE = "0123456789".repeat(1433) + "012345";

  static String page(String fields, String body) {
    return "HTTP/1.1 200 OK\r\n" + fields + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  static String fresh(String body) {
    return page("Cache-Control: public, max-age=60\r\nETag: \"v1\"\r\n", body);
  }

  @Test
  void aPageIsAskedForOnceAndThenServedFromMemory() throws IOException {
    try (RawApp app = RawApp.answering(fresh(PAGE));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect();
        RawClient other = gateway.connect()) {
      RawClient.Response first = client.get("/public/page").read();
      assertThat(first.body()).isEqualTo(PAGE);
      assertThat(first.field("Cache-Status")).contains("Gatehouse; fwd=uri-miss; stored");
      gateway.time().advance(Duration.ofSeconds(20));
      for (RawClient asking : List.of(client, other, client)) {
        RawClient.Response hit = asking.get("/public/page").read();
        assertThat(hit.status()).isEqualTo(200);
        assertThat(hit.body()).isEqualTo(PAGE);
        assertThat(hit.field("Age")).contains("20");
        assertThat(hit.field("Cache-Status")).contains("Gatehouse; hit; ttl=40");
        assertThat(hit.field("ETag")).contains("\"v1\"");
        assertThat(hit.field("Cache-Control")).contains("public, max-age=60");
      }
      assertThat(app.received()).hasSize(1);
    }
  }

  @Test
  void aProtectedPageIsSharedByThoseWithTheSameRolesOnly() throws IOException {
    try (RawApp app = RawApp.answering(fresh(PAGE));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      String alice = "Cookie: gh_app=" + gateway.sessions().open("alice", List.of("manager", "other"), List.of());
      String bob = "Cookie: gh_app=" + gateway.sessions().open("bob", List.of("manager"), List.of());
      String carol = "Cookie: gh_app=" + gateway.sessions().open("carol", List.of("manager", "editor"), List.of());
      String dave = "Cookie: gh_app=" + gateway.sessions().open("dave", List.of(), List.of());
      assertThat(client.get("/shared/page", alice).read().body()).isEqualTo(PAGE);
      RawClient.Response hit = client.get("/shared/page", bob).read();
      assertThat(hit.body()).isEqualTo(PAGE);
      assertThat(hit.field("Cache-Status")).contains("Gatehouse; hit; ttl=60");
      assertThat(hit.field("Cache-Control")).contains("private, max-age=60");
      assertThat(app.received()).hasSize(1);
      assertThat(client.get("/shared/page", carol).read().status()).isEqualTo(200);
      assertThat(app.received()).hasSize(2);
      assertThat(client.get("/shared/page", dave).read().status()).isEqualTo(403);
      assertThat(client.get("/shared/page").read().status()).isEqualTo(303);
      assertThat(app.received()).hasSize(2);
    }
  }

  @Test
  void clientsThatCloseAndOldOnesGetTheWholePageToo() throws IOException {
    try (RawApp app = RawApp.answering(fresh(PAGE));
        TestGateway gateway = CachingGateway.before(app);
        RawClient filling = gateway.connect();
        RawClient closing = gateway.connect();
        RawClient old = gateway.connect()) {
      filling.get("/public/page").read();
      RawClient.Response last = closing.get("/public/page", "Connection: close").read();
      assertThat(last.body()).isEqualTo(PAGE);
      assertThat(last.field("Connection")).contains("close");
      assertThat(closing.isClosed()).isTrue();
      RawClient.Response toOld = old.send("GET /public/page HTTP/1.0\r\nHost: app.localhost\r\n\r\n").read();
      assertThat(toOld.body()).isEqualTo(PAGE);
      assertThat(toOld.field("Age")).contains("0");
      // Two at once: answered in order, on one connection.
      String two = "GET /public/page HTTP/1.1\r\nHost: app.localhost\r\n\r\n";
      filling.send(two + two);
      assertThat(filling.read().body()).isEqualTo(PAGE);
      assertThat(filling.read().body()).isEqualTo(PAGE);
      assertThat(app.received()).hasSize(1);
    }
  }
}
