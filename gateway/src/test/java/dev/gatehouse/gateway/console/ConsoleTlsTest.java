package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.InsecureTrustManager;
import dev.gatehouse.common.http.TlsProbe;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.gateway.admin.TestAdmin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console over TLS. */
@Timeout(60)
class ConsoleTlsTest {

  @TempDir private Path folder;

  @Test
  void theCookieIsSecureAndOriginsAreComparedWithTheirScheme() throws Exception {
    TlsProbe.certificate(folder, "admin", "EC");
    try (TestAdmin admin = new TestAdmin(folder, beans -> beans.registerBean(Node.class, this::node));
        HttpClient client = HttpClient.newBuilder().sslContext(InsecureTrustManager.context()).build()) {
      HttpResponse<String> login = logIn(client, admin, "https");
      assertThat(login.statusCode()).as(login.headers() + login.body()).isEqualTo(303);
      assertThat(login.headers().firstValue("Set-Cookie").orElse(""))
          .matches("gh_admin=[A-Za-z0-9_-]{43}; Path=/console/; HttpOnly; SameSite=Strict; Secure");
      assertThat(logIn(client, admin, "http").statusCode()).isEqualTo(403);
    }
  }

  /** By a browser that sends Origin, but no Sec-Fetch-Site. */
  private static HttpResponse<String> logIn(HttpClient client, TestAdmin admin, String scheme) throws Exception {
    String authority = "localhost:" + admin.port();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("https://" + authority + "/console/login"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Origin", scheme + "://" + authority)
            .POST(HttpRequest.BodyPublishers.ofString(ConsoleBrowser.form("key", admin.key)))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private Node node() {
    Node.Tls tls = new Node.Tls(folder.resolve("admin.crt"), folder.resolve("admin.key"));
    var listener = new Node.Listener(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.of(tls));
    return new Node(
        Set.of(Role.IDP),
        new Node.Listeners(List.of(), List.of(), listener, Optional.empty(), Optional.empty()),
        Node.Storage.VOLATILE,
        folder,
        List.of(),
        new Node.AuditConfig(folder, 1 << 20, Duration.ofDays(1)),
        0,
        List.of());
  }
}
