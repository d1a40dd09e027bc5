package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.gateway.demo.DemoCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS towards apps: who cannot prove to be the app receives nothing, no identity least of all. */
@Timeout(60)
class UpstreamTlsTest {

  private static final char[] PASSWORD = "password".toCharArray();
  private static final String TRUST_STORE = "javax.net.ssl.trustStore";
  private static final String TRUST_STORE_PASSWORD = "javax.net.ssl.trustStorePassword";

  @TempDir private Path folder;
  private final AtomicInteger served = new AtomicInteger();
  private HttpsServer app;
  private SSLContext context;

  /** An app with a certificate of its own for {@code localhost}. */
  @BeforeEach
  void start() throws Exception {
    DemoCertificate.ensure(folder, Instant.now(), new SecureRandom());
    Certificate certificate = Pem.certificates(Files.readAllBytes(folder.resolve("demo.crt"))).getFirst();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(
        "app", Pem.privateKey(Files.readAllBytes(folder.resolve("demo.key"))), PASSWORD, new Certificate[] {certificate});
    KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, new SecureRandom());
    app = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    app.setHttpsConfigurator(new HttpsConfigurator(context));
    app.createContext(
        "/",
        exchange -> {
          served.incrementAndGet();
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    app.start();
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("app", certificate);
    try (var out = Files.newOutputStream(folder.resolve("trusted.p12"))) {
      trusted.store(out, PASSWORD);
    }
  }

  @AfterEach
  void stop() {
    System.clearProperty(TRUST_STORE);
    System.clearProperty(TRUST_STORE_PASSWORD);
    app.stop(0);
  }

  /** As an operator does it with {@code -Djavax.net.ssl.trustStore}. */
  private void trustTheApp() {
    System.setProperty(TRUST_STORE, folder.resolve("trusted.p12").toString());
    System.setProperty(TRUST_STORE_PASSWORD, new String(PASSWORD));
  }

  private int statusFrom(String host) throws IOException {
    try (TestGateway gateway = TestGateway.before(URI.create("https://" + host + ":" + app.getAddress().getPort()));
        RawClient client = gateway.connect()) {
      int status = client.get("/public/").read().status();
      double failed = gateway.meters().counter("gatehouse.gateway.upstream.failures", "kind", "tls").count();
      assertThat(failed).isEqualTo(status == 502 ? 1 : 0);
      return status;
    }
  }

  @Test
  void aCertificateThatNobodyVouchesForIsA502() throws IOException {
    assertThat(statusFrom("localhost")).isEqualTo(502);
    assertThat(served).hasValue(0);
  }

  @Test
  void aTrustedCertificateIsServed() throws IOException {
    trustTheApp();
    assertThat(statusFrom("localhost")).isEqualTo(204);
  }

  @Test
  void aTrustedCertificateForAnotherNameIsA502() throws IOException {
    trustTheApp();
    assertThat(statusFrom("other.localhost")).isEqualTo(502);
    assertThat(served).hasValue(0);
  }

  @Test
  void anAppThatSpeaksNoTlsIsA502() throws IOException {
    try (RawApp plain = RawApp.answering(RawApp.ok("x"));
        TestGateway gateway = TestGateway.before(URI.create("https://localhost:" + plain.port()));
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/").read().status()).isIn(502, 504);
    }
  }

  /** Answers one request, and ends the connection with or without close_notify. */
  private void serve(ServerSocket server, String answer, boolean farewell) {
    try (Socket plain = server.accept()) {
      SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(plain, "localhost", plain.getPort(), false);
      tls.setUseClientMode(false);
      RawClient asking = new RawClient(tls);
      asking.until("\r\n\r\n");
      asking.send(answer);
      if (farewell) {
        tls.shutdownOutput();
      }
      plain.shutdownOutput();
      plain.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      return; // the client's response shows it
    }
  }

  /** Whoever can cut the connection off must not be able to shorten a page; one of known length is complete anyway. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          HTTP/1.1 200 OK~~page                             | true  | true
          HTTP/1.1 200 OK~~page                             | false | false
          HTTP/1.0 200 OK~~page                             | false | false
          HTTP/1.1 200 OK~Content-Length: 4~~page           | false | true
          HTTP/1.1 200 OK~Transfer-Encoding: chunked~~4~page~0~~ | false | true
          """)
  void aPageThatEndsWithTheConnectionIsCompleteOnlyAfterCloseNotify(String answer, boolean farewell, boolean complete)
      throws Exception {
    trustTheApp();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        TestGateway gateway = TestGateway.before(URI.create("https://localhost:" + server.getLocalPort()));
        RawClient client = gateway.connect()) {
      Thread.ofVirtual().start(() -> serve(server, answer.replace("~", "\r\n"), farewell));
      RawClient.Response response = client.get("/public/").read();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("page");
      assertThat(response.complete()).isEqualTo(complete);
    }
  }
}
