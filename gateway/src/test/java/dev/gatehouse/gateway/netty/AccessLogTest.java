package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.node.AccessLogConfig;
import dev.gatehouse.common.node.AccessLogConfig.Format;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.gateway.demo.DemoCertificate;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One line per request, whatever became of it; nothing in it that opens a door or forges a line. */
@Timeout(60)
class AccessLogTest {

  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder;

  private AccessLogConfig config(Format format, boolean query) {
    return new AccessLogConfig(folder.resolve("log/access.log"), format, query, 1 << 20, 3);
  }

  /** The lines of a gateway that has stopped. */
  private List<String> lines() throws IOException {
    return Files.readAllLines(folder.resolve("log/access.log"), StandardCharsets.US_ASCII);
  }

  private List<JsonNode> entries() throws IOException {
    return lines().stream().map(JSON::readTree).toList();
  }

  @Test
  void aRequestIsOneObject() throws IOException {
    String label;
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.logging(app, config(Format.JSON, false), Optional.empty());
        RawClient client = gateway.connect()) {
      String session = gateway.sessions().open("alice", List.of(), List.of());
      client.get(
          "/page%20a?token=secret1", "Cookie: gh_app=" + session + "; other=secret2", "Authorization: Bearer secret3",
          "Referer: http://app.localhost/from?code=secret4#secret5", "User-Agent: Test \"1\"");
      assertThat(client.read().status()).isEqualTo(200);
      label = "127.0.0.1:" + app.port();
    }
    assertThat(String.join("\n", lines())).doesNotContain("secret").doesNotContain("gh_app");
    JsonNode line = entries().getFirst();
    assertThat(entries()).hasSize(1);
    assertThat(line.get("time").asString()).isEqualTo("2026-01-01T12:00:00.000Z");
    assertThat(line.get("client").asString()).isEqualTo("127.0.0.1");
    assertThat(line.get("user").asString()).isEqualTo("alice");
    assertThat(line.get("method").asString()).isEqualTo("GET");
    assertThat(line.get("host").asString()).isEqualTo("app.localhost");
    assertThat(line.get("path").asString()).isEqualTo("/page%20a");
    assertThat(line.get("protocol").asString()).isEqualTo("HTTP/1.1");
    assertThat(line.get("status").asInt()).isEqualTo(200);
    assertThat(line.get("bytes").asInt()).isEqualTo(5);
    assertThat(line.get("route").asString()).isEqualTo("app");
    assertThat(line.get("server").asString()).isEqualTo(label);
    assertThat(line.get("ms").asDouble()).isGreaterThanOrEqualTo(line.get("serverMs").asDouble());
    assertThat(line.get("referer").asString()).isEqualTo("http://app.localhost/from");
    assertThat(line.get("agent").asString()).isEqualTo("Test \"1\"");
    assertThat(line.get("reference").asString()).matches("[a-z0-9]{12}");
    assertThat(line.has("tls")).isFalse();
  }

  @Test
  void queriesAreWrittenWhereThatIsWantedAndNeverThoseOfOurOwnEndpoints() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.logging(app, config(Format.JSON, true), Optional.empty());
        RawClient client = gateway.connect()) {
      client.get("/public/a?b=c").read();
      client.get("/.gatehouse/saml/acs?SAMLart=secret").read();
      client.get("/.gatehouse/../.gatehouse/x?ticket=secret").read();
      client.get("/a%2f..%2f.gatehouse/x?ticket=secret").read();
    }
    assertThat(entries()).hasSize(4);
    assertThat(entries().getFirst().get("path").asString()).isEqualTo("/public/a?b=c");
    assertThat(String.join("\n", lines())).doesNotContain("secret");
  }

  @Test
  void theCombinedFormatIsTheUsualOne() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.logging(app, config(Format.COMBINED, false), Optional.empty());
        RawClient client = gateway.connect()) {
      String session = gateway.sessions().open("alice", List.of(), List.of());
      client.get("/x?y=z", "Cookie: gh_app=" + session, "Referer: http://r/?q", "User-Agent: curl/8").read();
      client.get("/public/").read();
    }
    assertThat(lines())
        .containsExactly(
            "127.0.0.1 - alice [01/Jan/2026:12:00:00 +0000] \"GET /x HTTP/1.1\" 200 5 \"http://r/\" \"curl/8\"",
            "127.0.0.1 - - [01/Jan/2026:12:00:00 +0000] \"GET /public/ HTTP/1.1\" 200 5 \"-\" \"-\"");
  }

  @Test
  void refusedRequestsHaveReasonAndReference() throws IOException {
    String page;
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.logging(app, config(Format.JSON, false), Optional.empty());
        RawClient client = gateway.connect()) {
      String session = gateway.sessions().open("bob", List.of("clerk"), List.of());
      page = client.get("/manager/", "Cookie: gh_app=" + session).read().body();
    }
    JsonNode line = entries().getFirst();
    assertThat(line.get("status").asInt()).isEqualTo(403);
    assertThat(line.get("user").asString()).isEqualTo("bob");
    assertThat(line.get("reason").asString()).isEqualTo("ROLE_MISSING");
    assertThat(page).contains("\"reference\":\"" + line.get("reference").asString() + "\"");
    assertThat(line.has("server")).isFalse();
  }

  @Test
  void malformedRequestsHaveALineToo() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.logging(app, config(Format.JSON, false), Optional.empty())) {
      String twoHosts = "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n";
      for (String bad : List.of(twoHosts, "\0\1\r\n\r\n", "GET / HTTP/1.1\r\nX: a\0b\r\n\r\n")) {
        try (RawClient client = gateway.connect()) {
          assertThat(client.send(bad).read().status()).isEqualTo(400);
        }
      }
    }
    assertThat(entries()).hasSize(3).allSatisfy(line -> {
      assertThat(line.get("status").asInt()).isEqualTo(400);
      assertThat(line.has("path")).isFalse();
      assertThat(line.get("reason").asString()).isNotEmpty();
    });
  }

  @Test
  void appsThatFailAndClientsThatLeaveHaveALine() throws Exception {
    try (RawApp app = new RawApp((request, in, out, socket) -> {
          if (request.requestLine().contains("/public/gone")) {
            in.read();
          }
          socket.close();
        });
        TestGateway gateway = TestGateway.logging(app, config(Format.JSON, false), Optional.empty())) {
      try (RawClient client = gateway.connect()) {
        assertThat(client.get("/public/").read().status()).isEqualTo(502);
      }
      try (RawClient client = gateway.connect()) {
        client.get("/public/gone");
        while (app.received().size() < 2) {
          Thread.sleep(10);
        }
      }
      Thread.sleep(300);
    }
    // Lines of different event loops are in no order.
    assertThat(entries()).extracting(line -> line.get("status").asInt()).containsExactlyInAnyOrder(502, 499);
    assertThat(entries())
        .filteredOn(line -> line.get("status").asInt() == 502)
        .allSatisfy(
            line -> {
              assertThat(line.get("reason").asString()).isEqualTo("UPSTREAM_CLOSED");
              assertThat(line.get("server").asString()).startsWith("127.0.0.1:");
            });
  }

  @Test
  void linesOfSecureConnectionsNameTheVersionOfTls() throws Exception {
    DemoCertificate.ensure(folder, Instant.now(), new SecureRandom());
    Node.Tls tls = new Node.Tls(folder.resolve("demo.crt"), folder.resolve("demo.key"));
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.logging(app, config(Format.JSON, false), Optional.of(tls));
        RawClient client = new RawClient(secureSocket(gateway.port()))) {
      client.get("/public/").read();
    }
    assertThat(entries().getFirst().get("tls").asString()).isEqualTo("TLSv1.3");
  }

  private Socket secureSocket(int port) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("demo", Pem.certificates(Files.readAllBytes(folder.resolve("demo.crt"))).getFirst());
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), new SecureRandom());
    return context.getSocketFactory().createSocket("127.0.0.1", port);
  }

  /** SECURITY 63. */
  @Test
  void controlCharactersTowardsTheAccessLogAreEscapedInJson() throws IOException {
    hostile(Format.JSON);
    assertThat(lines()).hasSize(2);
    assertThat(entries()).hasSize(2);
    assertThat(entries().getFirst().get("user").asString()).isEqualTo("eve\n\"}\u001b[2J");
    assertThat(entries().getFirst().get("agent").asString()).isEqualTo("a\t\u00ff\"}{\\");
    allVisible();
  }

  /** SECURITY 63. */
  @Test
  void controlCharactersTowardsTheAccessLogAreEscapedInTheCombinedFormat() throws IOException {
    hostile(Format.COMBINED);
    assertThat(lines()).hasSize(2);
    assertThat(lines().getFirst())
        .startsWith("127.0.0.1 - eve\\x0a\\x22}\\x1b[2J [")
        .endsWith("\"a\\x09\\xff\\x22}{\\x5c\"")
        .contains("\"GET /a HTTP/1.1\"");
    assertThat(lines().getLast()).contains("GET /public/?a=%0a%00\\x22 HTTP").contains("\"\\x22\\x09\\x85x\"");
    allVisible();
  }

  private void hostile(Format format) throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.logging(app, config(format, true), Optional.empty());
        RawClient client = gateway.connect()) {
      String session = gateway.sessions().open("eve\n\"}\u001b[2J", List.of(), List.of(), Map.of());
      client.get("/a", "Cookie: gh_app=" + session, "User-Agent: a\t\u00ff\"}{\\").read();
      client.get("/public/?a=%0a%00\"", "Referer: \"\t\u0085x").read();
    }
  }

  private void allVisible() throws IOException {
    for (byte b : Files.readAllBytes(folder.resolve("log/access.log"))) {
      assertThat(b == '\n' || b >= 0x20 && b < 0x7f).as("byte %d", b).isTrue();
    }
  }

  @Test
  void aFileAtItsSizeIsRotatedAndNotMoreAreKept() throws IOException {
    AccessLogConfig small = new AccessLogConfig(folder.resolve("a.log"), Format.COMBINED, false, 1, 2);
    for (int i = 0; i < 5; i++) {
      try (RawApp app = RawApp.answering(RawApp.ok("hello"));
          TestGateway gateway = TestGateway.logging(app, small, Optional.empty());
          RawClient client = gateway.connect()) {
        client.get("/public/" + i).read();
      }
    }
    assertThat(Files.readString(folder.resolve("a.log"))).contains("/public/4");
    assertThat(Files.readString(folder.resolve("a.log.1"))).contains("/public/3");
    assertThat(Files.readString(folder.resolve("a.log.2"))).contains("/public/2");
    assertThat(folder.resolve("a.log.3")).doesNotExist();
  }

  @Test
  void whoRenamesTheFileGetsANewOne() throws Exception {
    Path file = folder.resolve("log/access.log");
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.logging(app, config(Format.COMBINED, false), Optional.empty());
        RawClient client = gateway.connect()) {
      client.get("/public/before").read();
      while (Files.size(file) == 0) {
        Thread.sleep(20);
      }
      Files.move(file, folder.resolve("log/moved"));
      Thread.sleep(1200);
      client.get("/public/after").read();
    }
    assertThat(Files.readString(folder.resolve("log/moved"))).contains("/public/before").doesNotContain("after");
    assertThat(Files.readString(file)).contains("/public/after");
  }

  @Test
  void theFileIsNotForEverybody() throws IOException {
    aRequestIsOneObject();
    assertThat(Files.getPosixFilePermissions(folder.resolve("log/access.log")).toString()).doesNotContain("OTHERS");
  }
}
