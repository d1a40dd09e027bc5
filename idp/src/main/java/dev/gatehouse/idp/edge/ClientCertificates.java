package dev.gatehouse.idp.edge;

import dev.gatehouse.common.realm.ContractsConfig.CertificateLogin;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import jakarta.servlet.http.HttpServletRequest;
import java.net.Socket;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * The TLS side of the listener that asks for client certificates (RFC 8446, section 4.3.2). It names the authorities of all
 * realms, so that browsers offer fitting certificates, and takes what the client proves to hold: whether that counts is the
 * realm's to say, which only the request names. So who comes with a certificate that has expired, or with none, sees a page
 * and not a broken connection.
 */
final class ClientCertificates {

  /** On requests of that listener alone. */
  private static final String MARK = ClientCertificates.class.getName();

  /** Jakarta Servlet, section 3.9. */
  private static final String SHOWN = "jakarta.servlet.request.X509Certificate";

  private ClientCertificates() {}

  /** Marks the requests of a listener. */
  static void mark(HttpConfiguration http) {
    http.addCustomizer(
        (request, headers) -> {
          request.setAttribute(MARK, true);
          return request;
        });
  }

  /** Whether the request came to that listener. */
  static boolean areAskedFor(HttpServletRequest request) {
    return request.getAttribute(MARK) != null;
  }

  /** The chain that the client proved to hold the key of, its own first; empty where it has shown none. */
  static List<X509Certificate> shown(HttpServletRequest request) {
    return request.getAttribute(SHOWN) instanceof X509Certificate[] chain ? List.of(chain) : List.of();
  }

  static SslContextFactory.Server context(Realms realms) {
    SslContextFactory.Server context =
        new SslContextFactory.Server() {
          @Override
          protected TrustManager[] getTrustManagers(KeyStore trustStore, Collection<? extends CRL> crls) {
            return new TrustManager[] {new AnyHolder(realms)};
          }
        };
    context.setWantClientAuth(true);
    return context;
  }

  /** Refuses nobody here: {@code CertificateCheck} does, with the realm's rules. */
  private static final class AnyHolder extends X509ExtendedTrustManager {
    private final Realms realms;

    AnyHolder(Realms realms) {
      this.realms = realms;
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return realms.all().stream()
          .flatMap(realm -> authorities(realm).stream())
          .distinct()
          .toArray(X509Certificate[]::new);
    }

    private static List<X509Certificate> authorities(Realm realm) {
      return realm
          .idp()
          .map(IdpConfig::contracts)
          .flatMap(contracts -> contracts.certificate())
          .map(CertificateLogin::authorities)
          .orElse(List.of());
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {
      throw new UnsupportedOperationException("a listener trusts no server");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
      throw new UnsupportedOperationException("a listener trusts no server");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
      throw new UnsupportedOperationException("a listener trusts no server");
    }
  }
}
