package dev.gatehouse.idp.otp.visit;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.realm.UpstreamConfig.ClientKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS in which we show our certificate and accept a server of these authorities alone, and none that the JDK knows. */
final class PinnedTls {

  private static final char[] NO_PASSWORD = {};

  private PinnedTls() {}

  static SSLContext of(ClientKey key, List<X509Certificate> authorities) {
    try {
      KeyStore own = empty();
      own.setKeyEntry(
          "realm", Pem.privateKey(key.privateKey().value().getBytes(StandardCharsets.US_ASCII)), NO_PASSWORD,
          key.chain().toArray(X509Certificate[]::new));
      KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, NO_PASSWORD);
      KeyStore anchors = empty();
      for (int i = 0; i < authorities.size(); i++) {
        anchors.setCertificateEntry("authority" + i, authorities.get(i));
      }
      TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(anchors);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("the configuration loader has read key and certificates", e);
    }
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }
}
