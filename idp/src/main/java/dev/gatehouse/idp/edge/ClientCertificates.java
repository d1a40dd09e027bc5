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
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * The TLS configuration of the two listeners that ask for client certificates (RFC 8446, section 4.3.2). TLS checks
 * only that the client holds the private key. The realm's rules decide whether the certificate is acceptable, and only
 * the request names the realm. A client with an expired certificate, or with none, therefore gets an answer and not a
 * broken connection. The listener for people names the authorities of all realms, so that browsers offer suitable
 * certificates; the listener for OAuth clients names none, because some clients use self-signed certificates (RFC 8705,
 * section 2.2).
 */
final class ClientCertificates {

  /** The kind of clients that are asked for certificates. */
  enum Asked {
    PEOPLE,
    CLIENTS
  }

  /** The attribute of requests at these listeners only. */
  private static final String MARK = ClientCertificates.class.getName();

  /** The attribute of Jakarta Servlet, section 3.9. */
  private static final String SHOWN = "jakarta.servlet.request.X509Certificate";

  private ClientCertificates() {}

  /** Marks the requests of a listener. */
  static void mark(HttpConfiguration http, Asked asked) {
    http.addCustomizer(
        (request, headers) -> {
          request.setAttribute(MARK, asked);
          return request;
        });
  }

  /** The kind of clients that the listener asks for certificates; empty at ordinary listeners. */
  static Optional<Asked> asked(HttpServletRequest request) {
    return request.getAttribute(MARK) instanceof Asked asked ? Optional.of(asked) : Optional.empty();
  }

  /** The chain whose key the client proved to hold, its own certificate first; empty if it sent none. */
  static List<X509Certificate> shown(HttpServletRequest request) {
    return request.getAttribute(SHOWN) instanceof X509Certificate[] chain ? List.of(chain) : List.of();
  }

  static SslContextFactory.Server context(Realms realms, Asked asked) {
    SslContextFactory.Server context =
        new SslContextFactory.Server() {
          @Override
          protected TrustManager[] getTrustManagers(KeyStore trustStore, Collection<? extends CRL> crls) {
            return new TrustManager[] {new AnyHolder(realms, asked)};
          }
        };
    context.setWantClientAuth(true);
    return context;
  }

  /** Accepts every certificate here: {@code CertificateCheck} refuses certificates by the realm's rules. */
  private static final class AnyHolder extends X509ExtendedTrustManager {
    private final Realms realms;
    private final Asked asked;

    AnyHolder(Realms realms, Asked asked) {
      this.realms = realms;
      this.asked = asked;
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return (asked == Asked.CLIENTS ? List.<Realm>of() : List.copyOf(realms.all()))
          .stream()
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
