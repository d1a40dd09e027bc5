package dev.gatehouse.idp.oauth.client;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertStore;
import java.security.cert.CertificateParsingException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Collectors;

/** Checks whether one of our authorities issued a client's certificate (RFC 5280, section 6). Fetches nothing. */
final class CertificatePaths {

  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

  private CertificatePaths() {}

  /** @param chain as the client sent it, its own certificate first */
  static boolean leadsTo(List<X509Certificate> authorities, List<X509Certificate> chain, Instant now) {
    if (authorities.isEmpty() || !isForClients(chain.getFirst())) {
      return false;
    }
    try {
      X509CertSelector own = new X509CertSelector();
      own.setCertificate(chain.getFirst());
      PKIXBuilderParameters parameters =
          new PKIXBuilderParameters(
              authorities.stream().map(authority -> new TrustAnchor(authority, null)).collect(Collectors.toSet()), own);
      parameters.setDate(Date.from(now));
      parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
      parameters.setRevocationEnabled(false);
      CertPathBuilder.getInstance("PKIX").build(parameters);
      return true;
    } catch (CertPathBuilderException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The PKIX check cannot be made", e);
    }
  }

  /** Excludes certificates that their authority issued for other purposes only. */
  private static boolean isForClients(X509Certificate certificate) {
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      return purposes == null || purposes.contains(CLIENT_AUTH);
    } catch (CertificateParsingException e) {
      return false;
    }
  }
}
