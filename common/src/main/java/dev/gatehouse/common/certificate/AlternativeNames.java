package dev.gatehouse.common.certificate;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;

/** Names in a certificate's subjectAltName (RFC 5280, section 4.2.1.6). An extension that cannot be read has no names. */
public final class AlternativeNames {

  static final int OTHER_NAME = 0;
  static final int RFC822_NAME = 1;
  private static final int DNS_NAME = 2;

  private AlternativeNames() {}

  /** The DNS names as the certificate has them. */
  public static List<String> dns(X509Certificate certificate) {
    return of(certificate, DNS_NAME);
  }

  /**
   * Returns the names of one kind.
   *
   * @param kind number of a kind of GeneralName whose names are text
   */
  public static List<String> of(X509Certificate certificate, int kind) {
    return entries(certificate, kind).stream().map(name -> String.valueOf(name.get(1))).toList();
  }

  /** Returns the names of one kind as {@link X509Certificate#getSubjectAlternativeNames} describes them. */
  static List<List<?>> entries(X509Certificate certificate, int kind) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null ? List.of() : names.stream().filter(name -> name.getFirst().equals(kind)).toList();
    } catch (CertificateParsingException e) {
      return List.of();
    }
  }
}
