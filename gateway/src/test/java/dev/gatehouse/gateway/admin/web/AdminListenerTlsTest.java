package dev.gatehouse.gateway.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.TlsProbe;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.server.WebServer;

/** TLS of the administrators' listener, by handshakes. */
@Timeout(60)
class AdminListenerTlsTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  void takesOnlyForwardSecretAuthenticatedEncryption(String algorithm) throws Exception {
    TlsProbe.certificate(folder, "admin", algorithm);
    Node.Listener listener =
        new Node.Listener(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.of(new Node.Tls(folder.resolve("admin.crt"), folder.resolve("admin.key"))));
    Node node =
        new Node(
            Set.of(Role.IDP),
            new Node.Listeners(List.of(), List.of(), listener, Optional.empty(), Optional.empty()),
            Node.Storage.VOLATILE,
            folder,
            List.of(),
            new Node.AuditConfig(folder, 1 << 20, Duration.ofDays(1)),
            0,
            List.of());
    WebServer server = new AdminWebConfig().webServer(node, jetty -> {}).getWebServer();
    server.start();
    try {
      assertThat(TlsProbe.accepted(server.getPort()))
          .isEqualTo(algorithm.equals("RSA") ? TlsProbe.WITH_RSA : TlsProbe.WITH_EC);
    } finally {
      server.stop();
    }
  }
}
