package dev.gatehouse.common.certificate;

import dev.gatehouse.common.realm.ContractsConfig.CertificateLogin;
import java.security.GeneralSecurityException;
import java.security.cert.CertPath;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertStore;
import java.security.cert.CertificateParsingException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Accepts a certificate if it leads to one of the realm's authorities (RFC 5280, section 6), is valid now, was issued for logging in,
 * and is not revoked. Nothing is fetched: neither OCSP responses nor a list to which a certificate refers.
 */
public final class CertificateCheck {

  /** Reasons of refusal, for the audit log. */
  public enum Refusal {
    CERTIFICATE_NOT_TRUSTED,
    CERTIFICATE_NOT_VALID_NOW,
    CERTIFICATE_NOT_FOR_LOGIN,
    CERTIFICATE_WEAK,
    CERTIFICATE_REVOKED,
    /** The list is missing, out of date, or of another authority: treated as revoked. */
    CERTIFICATE_REVOCATION_UNKNOWN;

    /** Returns whether the certificate leads to an authority of the realm all the same: lists are asked only then. */
    public boolean isOfIssued() {
      return this == CERTIFICATE_REVOKED || this == CERTIFICATE_REVOCATION_UNKNOWN;
    }
  }

  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
  private static final int MIN_RSA_BITS = 2048;

  private CertificateCheck() {}

  /** @param chain as the client sent it, its own first */
  public static Optional<Refusal> check(CertificateLogin config, List<X509Certificate> chain, Instant now) {
    if (!isForLogin(chain.getFirst())) {
      return Optional.of(Refusal.CERTIFICATE_NOT_FOR_LOGIN);
    }
    if (chain.stream().anyMatch(certificate -> !config.authorities().contains(certificate) && isWeak(certificate))) {
      return Optional.of(Refusal.CERTIFICATE_WEAK);
    }
    if (!isValid(chain.getFirst(), Date.from(now))) {
      return Optional.of(Refusal.CERTIFICATE_NOT_VALID_NOW);
    }
    try {
      CertPath path = path(config, chain, now);
      if (!config.revoked().isEmpty()) {
        CertPathValidator.getInstance("PKIX").validate(path, withLists(config, now));
      }
      return Optional.empty();
    } catch (CertPathBuilderException e) {
      return Optional.of(Refusal.CERTIFICATE_NOT_TRUSTED);
    } catch (CertPathValidatorException e) {
      return Optional.of(
          e.getReason() == BasicReason.REVOKED
              ? Refusal.CERTIFICATE_REVOKED
              : Refusal.CERTIFICATE_REVOCATION_UNKNOWN);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The PKIX check cannot be made", e);
    }
  }

  private static boolean isValid(X509Certificate certificate, Date now) {
    return !now.before(certificate.getNotBefore()) && !now.after(certificate.getNotAfter());
  }

  /** Returns whether its extensions permit client authentication: an authority's other certificates, for example of servers, do not. */
  private static boolean isForLogin(X509Certificate certificate) {
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      boolean[] usage = certificate.getKeyUsage();
      return purposes != null && purposes.contains(CLIENT_AUTH) && (usage == null || usage[0]);
    } catch (CertificateParsingException e) {
      return false;
    }
  }

  private static boolean isWeak(X509Certificate certificate) {
    String algorithm = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
    return algorithm.contains("SHA1")
        || algorithm.contains("MD")
        || (certificate.getPublicKey() instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < MIN_RSA_BITS);
  }

  /** Builds the path from the certificate to one of the authorities, through other certificates that the client sent. */
  private static CertPath path(CertificateLogin config, List<X509Certificate> chain, Instant now)
      throws GeneralSecurityException {
    X509CertSelector own = new X509CertSelector();
    own.setCertificate(chain.getFirst());
    PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors(config), own);
    parameters.setDate(Date.from(now));
    parameters.addCertStore(store(chain));
    parameters.setRevocationEnabled(false);
    return CertPathBuilder.getInstance("PKIX").build(parameters).getCertPath();
  }

  /** Requires that no certificate of the path is listed, and that its authority has a list (RFC 5280, section 6.3). */
  private static PKIXParameters withLists(CertificateLogin config, Instant now) throws GeneralSecurityException {
    PKIXParameters parameters = new PKIXParameters(anchors(config));
    parameters.setDate(Date.from(now));
    parameters.addCertStore(store(config.revoked()));
    if (!(CertPathValidator.getInstance("PKIX").getRevocationChecker() instanceof PKIXRevocationChecker lists)) {
      throw new GeneralSecurityException("the provider has no revocation checker");
    }
    lists.setOptions(EnumSet.of(PKIXRevocationChecker.Option.PREFER_CRLS, PKIXRevocationChecker.Option.NO_FALLBACK));
    parameters.addCertPathChecker(lists);
    return parameters;
  }

  private static Set<TrustAnchor> anchors(CertificateLogin config) {
    return config.authorities().stream()
        .map(authority -> new TrustAnchor(authority, null))
        .collect(Collectors.toSet());
  }

  private static CertStore store(Collection<?> content) throws GeneralSecurityException {
    return CertStore.getInstance("Collection", new CollectionCertStoreParameters(content));
  }
}
