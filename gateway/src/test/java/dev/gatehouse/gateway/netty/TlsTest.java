package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.http.TlsProbe;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.gateway.demo.DemoCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS towards clients, with the JDK's own client at the other end. */
@Timeout(60)
class TlsTest {

  @TempDir private Path folder;

  private SSLSocket connect(TestGateway gateway, String protocol) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (var in = Files.newInputStream(folder.resolve("demo.crt"))) {
      trusted.setCertificateEntry("demo", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), new SecureRandom());
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", gateway.port());
    socket.setEnabledProtocols(new String[] {protocol});
    return socket;
  }

  private TestGateway secure(RawApp app) {
    DemoCertificate.ensure(folder, Instant.now(), new SecureRandom());
    return TestGateway.secure(app, new Node.Tls(folder.resolve("demo.crt"), folder.resolve("demo.key")));
  }

  @Test
  void servesTls13And12() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x".repeat(100_000)));
        TestGateway gateway = secure(app)) {
      for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
        SSLSocket socket = connect(gateway, protocol);
        try (RawClient client = new RawClient(socket)) {
          assertThat(client.get("/public/").read().body()).hasSize(100_000);
          assertThat(client.get("/public/").read().body()).hasSize(100_000);
          assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
        }
      }
      assertThat(app.received().getFirst().has("X-Forwarded-Proto: https")).isTrue();
      assertThat(app.received().getFirst().has("X-Forwarded-Port: 443")).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  void takesOnlyForwardSecretAuthenticatedEncryption(String algorithm) throws Exception {
    TlsProbe.certificate(folder, "listener", algorithm);
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway =
            TestGateway.secure(app, new Node.Tls(folder.resolve("listener.crt"), folder.resolve("listener.key")))) {
      assertThat(TlsProbe.accepted(gateway.port()))
          .isEqualTo(algorithm.equals("RSA") ? TlsProbe.WITH_RSA : TlsProbe.WITH_EC);
    }
  }

  @Test
  void onlyTheCookieThatNoOtherHostCanSetIsASession() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = secure(app);
        RawClient client = new RawClient(connect(gateway, "TLSv1.3"))) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      assertThat(client.get("/page", "Cookie: gh_app=" + token).read().status()).isEqualTo(303);
      assertThat(client.get("/page", "Cookie: __Host-gh_app=" + token).read().status()).isEqualTo(200);
      assertThat(app.only().has("Remote-User: alice")).isTrue();
    }
  }

  @Test
  void aRefusalIsReadBeforeTheConnectionEnds() throws Exception {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = secure(app);
        RawClient client = new RawClient(connect(gateway, "TLSv1.3"))) {
      client.send("POST /page HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 5000000\r\n\r\n").send(new byte[200_000]);
      assertThat(client.read().status()).isEqualTo(409);
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void whoSpeaksNoTlsIsClosed() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = secure(app);
        RawClient client = gateway.connect()) {
      assertThatThrownBy(() -> client.get("/public/").read()).isInstanceOf(IOException.class);
      assertThat(app.received()).isEmpty();
    }
  }
}
