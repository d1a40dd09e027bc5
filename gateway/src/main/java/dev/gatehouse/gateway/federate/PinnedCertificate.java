package dev.gatehouse.gateway.federate;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts only the certificate that the node's configuration names for the admin listener, regardless of its host name:
 * the command runs beside the node and reaches it by address.
 */
public final class PinnedCertificate extends X509ExtendedTrustManager {

  private final X509Certificate pinned;

  private PinnedCertificate(X509Certificate pinned) {
    this.pinned = pinned;
  }

  public static SSLContext trusting(X509Certificate certificate) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new PinnedCertificate(certificate)}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    if (chain.length == 0 || !chain[0].equals(pinned)) {
      throw new CertificateException("not the certificate that listeners.admin names");
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
    throw new CertificateException("no server");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
    throw new CertificateException("no server");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("no server");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
