package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.key.PeopleCa.Issued;
import dev.gatehouse.common.key.PeopleCa.CertificateSpec;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.UpstreamConfig;
import dev.gatehouse.common.realm.UpstreamConfig.ClientKey;
import dev.gatehouse.common.realm.UpstreamConfig.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Apps with certificates of a private authority: only its servers, only by their names, and with a certificate of ours. */
@Timeout(60)
class PrivateTlsTest {

  private static final char[] PASSWORD = "password".toCharArray();

  private final PeopleCa ca = PeopleCa.create("CN=Private CA", Instant.now());
  private final PeopleCa otherCa = PeopleCa.create("CN=Other CA", Instant.now());
  private final AtomicInteger served = new AtomicInteger();
  /** When the TLS sessions began: a resumed one began with the first. */
  private final Set<Long> sessions = ConcurrentHashMap.newKeySet();
  private volatile boolean certificateNeeded;
  private HttpsServer app;

  @BeforeEach
  void start() throws Exception {
    Issued issued =
        ca.issue(CertificateSpec.of("CN=app", PeopleCa.host("app.internal")).purpose(KeyPurposeId.id_kp_serverAuth));
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("app", issued.privateKey(), PASSWORD, new Certificate[] {issued.certificate()});
    KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    KeyStore people = KeyStore.getInstance("PKCS12");
    people.load(null, null);
    people.setCertificateEntry("ca", ca.certificate());
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(people);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), trust.getTrustManagers(), new SecureRandom());
    app = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    app.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters params) {
            SSLParameters parameters = context.getDefaultSSLParameters();
            parameters.setNeedClientAuth(certificateNeeded);
            params.setSSLParameters(parameters);
          }
        });
    app.createContext(
        "/",
        exchange -> {
          served.incrementAndGet();
          sessions.add(((HttpsExchange) exchange).getSSLSession().getCreationTime());
          exchange.getResponseHeaders().set("Connection", "close");
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    app.start();
  }

  @AfterEach
  void stop() {
    app.stop(0);
  }

  private UpstreamConfig with(Tls tls) {
    UpstreamConfig plain = UpstreamConfig.of(URI.create("https://127.0.0.1:" + app.getAddress().getPort()));
    return new UpstreamConfig(
        plain.servers(), plain.balance(), plain.health(), plain.passive(), tls, plain.connections(), plain.times(),
        plain.retries());
  }

  private static Tls trusting(X509Certificate authority, String name) {
    return new Tls(List.of(authority), Optional.empty(), Optional.of(name));
  }

  private int status(Tls tls) throws IOException {
    try (TestGateway gateway = TestGateway.before(with(tls));
        RawClient client = gateway.connect()) {
      return client.get("/public/").read().status();
    }
  }

  @Test
  void aServerOfThePrivateAuthorityIsServedByTheNameThatIsExpected() throws IOException {
    assertThat(status(trusting(ca.certificate(), "app.internal"))).isEqualTo(204);
  }

  @Test
  void anotherNameIsA502() throws IOException {
    assertThat(status(trusting(ca.certificate(), "other.internal"))).isEqualTo(502);
    assertThat(status(new Tls(List.of(ca.certificate()), Optional.empty(), Optional.empty()))).isEqualTo(502);
    assertThat(served).hasValue(0);
  }

  @Test
  void anotherAuthorityIsA502() throws IOException {
    assertThat(status(trusting(otherCa.certificate(), "app.internal"))).isEqualTo(502);
    assertThat(status(new Tls(List.of(), Optional.empty(), Optional.of("app.internal")))).isEqualTo(502);
    assertThat(served).hasValue(0);
  }

  private Tls showing(Issued issued) {
    String key = PeopleCa.pem("PRIVATE KEY", issued.privateKey().getEncoded());
    return new Tls(
        List.of(ca.certificate()),
        Optional.of(new ClientKey(List.of(issued.certificate()), new Secret(key))),
        Optional.of("app.internal"));
  }

  @Test
  void ourCertificateIsShownWhereOneIsAskedFor() throws IOException {
    certificateNeeded = true;
    assertThat(status(showing(ca.issue(CertificateSpec.of("CN=gatehouse"))))).isEqualTo(204);
    assertThat(served).hasValue(1);
  }

  @Test
  void withoutItTheAppServesNobody() throws IOException {
    certificateNeeded = true;
    assertThat(status(trusting(ca.certificate(), "app.internal"))).isEqualTo(502);
    assertThat(status(showing(otherCa.issue(CertificateSpec.of("CN=gatehouse"))))).isEqualTo(502);
    assertThat(served).hasValue(0);
  }

  @Test
  void laterConnectionsResumeTheSessionOfEarlierOnes() throws Exception {
    try (TestGateway gateway = TestGateway.before(with(trusting(ca.certificate(), "app.internal")));
        RawClient client = gateway.connect()) {
      for (int i = 0; i < 6; i++) {
        assertThat(client.get("/public/").read().status()).isEqualTo(204);
        Thread.sleep(Duration.ofMillis(50));
      }
      assertThat(served).hasValue(6);
      assertThat(sessions).hasSizeBetween(1, 2);
    }
  }
}
