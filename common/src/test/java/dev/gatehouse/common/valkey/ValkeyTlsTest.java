package dev.gatehouse.common.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.TestCertificate;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.node.ValkeyConfig.Account;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.node.ValkeyConfig.Place;
import dev.gatehouse.common.node.ValkeyConfig.Security;
import dev.gatehouse.common.node.ValkeyConfig.Server;
import dev.gatehouse.common.realm.Secret;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS to a real server: its certificate and its name are checked. */
class ValkeyTlsTest {

  @Test
  void checksCertificateAndName(@TempDir Path folder) throws Exception {
    TestCertificate localhost = TestCertificate.forHost("localhost");
    Path certificate = folder.resolve("certificate.pem");
    Path key = folder.resolve("key.pem");
    Files.writeString(certificate, pem("CERTIFICATE", localhost.certificate().getEncoded()));
    Files.writeString(key, pem("PRIVATE KEY", localhost.keys().getPrivate().getEncoded()));
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    try (ValkeyServer server =
        ValkeyServer.start(
            "--tls-port", String.valueOf(port), "--tls-cert-file", certificate.toString(), "--tls-key-file", key.toString(),
            "--tls-ca-cert-file", certificate.toString(), "--tls-auth-clients", "no", "--requirepass", "secret")) {
      assertThat(check("localhost", port, List.of(localhost.certificate())).refusals()).isEmpty();
      assertThat(check("localhost", port, List.of()).refusals()).singleElement().asString().contains("certification path");
      assertThat(check("127.0.0.1", port, List.of(localhost.certificate())).refusals())
          .singleElement()
          .asString()
          .contains("127.0.0.1");
      assertThat(check("localhost", server.port(), List.of(localhost.certificate())).refusals()).hasSize(1);
    }
  }

  private static ValkeyReport check(String host, int port, List<X509Certificate> authorities) {
    return ValkeyCheck.of(
        new ValkeyConfig(
            new Place.Direct(new Server(host, port)), Optional.of(new Account("default", new Secret("secret"))),
            new Security.Tls(authorities), Acknowledge.LOCAL, Duration.ZERO, Duration.ofSeconds(5), "tls"));
  }

  private static String pem(String type, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
  }
}
