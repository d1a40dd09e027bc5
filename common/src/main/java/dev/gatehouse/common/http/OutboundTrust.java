package dev.gatehouse.common.http;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** TLS for outbound requests: trusts the JDK's certificate authorities and those that the node's configuration adds. */
public final class OutboundTrust {

  private OutboundTrust() {}

  /** @param authorities trusted in addition to the JDK's */
  public static SSLContext with(List<X509Certificate> authorities) {
    try {
      if (authorities.isEmpty()) {
        return SSLContext.getDefault();
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust(anchors(authorities)).getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("TLS cannot be set up", e);
    }
  }

  /** Returns the same trust for Netty. @param authorities trusted in addition to the JDK's */
  public static TrustManagerFactory managers(List<X509Certificate> authorities) {
    try {
      return trust(authorities.isEmpty() ? null : anchors(authorities));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("TLS cannot be set up", e);
    }
  }

  private static KeyStore anchors(List<X509Certificate> authorities) throws GeneralSecurityException, IOException {
    KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
    anchors.load(null, null);
    Stream<X509Certificate> usual =
        Arrays.stream(trust(null).getTrustManagers())
            .flatMap(m -> m instanceof X509TrustManager known ? Arrays.stream(known.getAcceptedIssuers()) : Stream.empty());
    int number = 0;
    for (X509Certificate anchor : Stream.concat(usual, authorities.stream()).toList()) {
      anchors.setCertificateEntry("ca" + number++, anchor);
    }
    return anchors;
  }

  /** @param anchors null for those of the JDK */
  private static TrustManagerFactory trust(@Nullable KeyStore anchors) throws GeneralSecurityException {
    TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(anchors);
    return factory;
  }
}
