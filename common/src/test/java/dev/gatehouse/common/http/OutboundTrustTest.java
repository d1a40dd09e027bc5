package dev.gatehouse.common.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.OutboundHttp.Limits;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code outbound.ca}: a private authority is trusted for all our calls, and no other check becomes weaker. */
class OutboundTrustTest {

  private final SigningKey key = SamlFixtures.create(KeyAlgorithm.P_256, "idp.localhost");
  private final HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
  private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

  OutboundTrustTest() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("server", key.privateKey(), new char[0], new Certificate[] {key.certificate()});
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          ports.add(exchange.getRemoteAddress().getPort());
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write(new byte[] {'o', 'k'});
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private URI url(String host) {
    return URI.create("https://" + host + ":" + server.getAddress().getPort() + "/");
  }

  private static Cause cause(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Failed.class);
    return ((Answer.Failed) answer).cause();
  }

  @Test
  void aServerOfAPrivateAuthorityIsTrustedForItsOwnNameAlone() {
    SSLContext trust = OutboundTrust.with(List.of(key.certificate()));
    try (OutboundHttp partners = new OutboundHttp(Limits.USUAL, trust);
        PublicHttp clients = new PublicHttp(InetAddress::isLoopbackAddress, trust)) {
      assertThat(partners.get(url("idp.localhost"), "*/*")).isInstanceOf(Answer.Received.class);
      assertThat(clients.get(url("idp.localhost"), "*/*")).isInstanceOf(Answer.Received.class);
      assertThat(cause(partners.get(url("other.localhost"), "*/*"))).isEqualTo(Cause.TLS);
      assertThat(cause(partners.get(url("127.0.0.1"), "*/*"))).isEqualTo(Cause.TLS);
    }
  }

  @Test
  void withoutItTheServerIsNotTrusted() {
    try (OutboundHttp partners = new OutboundHttp(Limits.USUAL)) {
      assertThat(cause(partners.get(url("idp.localhost"), "*/*"))).isEqualTo(Cause.TLS);
    }
  }

  /** Artifacts and logouts go to the same partners repeatedly. */
  @Test
  void tlsConnectionsAreKept() {
    try (OutboundHttp partners = new OutboundHttp(Limits.USUAL, OutboundTrust.with(List.of(key.certificate())))) {
      for (int i = 0; i < 5; i++) {
        assertThat(partners.get(url("idp.localhost"), "*/*")).isInstanceOf(Answer.Received.class);
      }
      assertThat(ports).hasSize(1);
    }
  }
}
