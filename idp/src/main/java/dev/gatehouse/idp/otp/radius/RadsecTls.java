package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.certificate.AlternativeNames;
import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.http.TlsPolicy;
import dev.gatehouse.common.node.Node.Listener;
import dev.gatehouse.common.node.Node.Tls;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** TLS of a RadSec listener: each client has a certificate of one of the listener's authorities. */
final class RadsecTls {

  private final SSLContext context;

  private RadsecTls(SSLContext context) {
    this.context = context;
  }

  static RadsecTls of(Listener listener) {
    Tls tls = listener.tls().orElseThrow(() -> new IllegalStateException("the configuration loader refuses RadSec without TLS"));
    Path authorities =
        listener.clientAuthorities().orElseThrow(() -> new IllegalStateException("the configuration loader refuses RadSec without authorities"));
    try {
      KeyStore own = empty();
      X509Certificate[] chain = Pem.certificates(Files.readAllBytes(tls.certificate())).toArray(X509Certificate[]::new);
      own.setKeyEntry("listener", Pem.privateKey(Files.readAllBytes(tls.privateKey())), new char[0], chain);
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(own, new char[0]);
      KeyStore trusted = empty();
      for (X509Certificate authority : Pem.certificates(Files.readAllBytes(authorities))) {
        trusted.setCertificateEntry("ca-" + trusted.size(), authority);
      }
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return new RadsecTls(context);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot use " + tls.certificate() + " and " + authorities + " for RadSec: " + e.getMessage(), e);
    }
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  /** Returns the server's end of TLS over an accepted connection; the handshake is still to be made. */
  SSLSocket over(Socket socket) throws IOException {
    SSLSocket secure =
        (SSLSocket) context.getSocketFactory().createSocket(socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
    secure.setUseClientMode(false);
    secure.setNeedClientAuth(true);
    secure.setEnabledProtocols(TlsPolicy.PROTOCOLS.toArray(String[]::new));
    secure.setEnabledCipherSuites(TlsPolicy.CIPHER_SUITES.toArray(String[]::new));
    return secure;
  }

  /** Returns the DNS names in the client's certificate, in lower case (RFC 6614, section 2.3). */
  static List<String> names(SSLSession session) {
    try {
      Certificate[] chain = session.getPeerCertificates();
      return chain.length > 0 && chain[0] instanceof X509Certificate certificate
          ? AlternativeNames.dns(certificate).stream().map(name -> name.toLowerCase(Locale.ROOT)).toList()
          : List.of();
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  }
}
