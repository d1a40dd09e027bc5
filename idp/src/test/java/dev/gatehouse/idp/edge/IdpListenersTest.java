package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.TlsProbe;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.proxy.ProxyRefusals;
import dev.gatehouse.common.node.TrustedProxies;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.TestRealms;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS of the identity provider's sockets, by handshakes. */
@Timeout(60)
class IdpListenersTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  void ordinaryAndCertificateListenersTakeOnlyForwardSecretAuthenticatedEncryption(String algorithm) throws Exception {
    TlsProbe.certificate(folder, "idp", algorithm);
    Node.Listener listener =
        new Node.Listener(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.of(new Node.Tls(folder.resolve("idp.crt"), folder.resolve("idp.key"))));
    Node.Listeners all =
        new Node.Listeners(List.of(listener), List.of(), listener, Optional.of(listener), Optional.of(listener));
    IdpListeners listeners = new IdpListeners(all, new FixedRealms(TestRealms.demo()), TrustedProxies.NONE, new ProxyRefusals());
    Set<String> expected = algorithm.equals("RSA") ? TlsProbe.WITH_RSA : TlsProbe.WITH_EC;
    Server server = new Server();
    listeners.customize(server);
    server.start();
    try {
      assertThat(listeners.ports()).hasSize(3);
      for (int port : listeners.ports()) {
        assertThat(TlsProbe.accepted(port)).isEqualTo(expected);
      }
    } finally {
      server.stop();
    }
  }
}
