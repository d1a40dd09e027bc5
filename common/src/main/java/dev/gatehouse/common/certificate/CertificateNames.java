package dev.gatehouse.common.certificate;

import dev.gatehouse.common.realm.ContractsConfig.CertificateField;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/**
 * Returns the name of a certificate's holder in the configured field (RFC 5280, sections 4.1.2.6 and 4.2.1.6). A field that occurs
 * twice identifies nobody.
 */
public final class CertificateNames {

  private static final String UPN = "1.3.6.1.4.1.311.20.2.3";
  private static final int LONGEST = 1024;

  private CertificateNames() {}

  public static Optional<String> of(X509Certificate certificate, CertificateField field) {
    List<String> values =
        switch (field) {
          case SUBJECT_CN -> commonNames(certificate.getSubjectX500Principal());
          case SUBJECT_DN -> List.of(certificate.getSubjectX500Principal().getName(X500Principal.RFC2253));
          case SAN_MAIL -> alternatives(certificate, AlternativeNames.RFC822_NAME);
          case SAN_UPN -> alternatives(certificate, AlternativeNames.OTHER_NAME);
        };
    return values.size() == 1
        ? Optional.of(values.getFirst()).filter(v -> !v.isBlank() && v.length() <= LONGEST)
        : Optional.empty();
  }

  private static List<String> commonNames(X500Principal subject) {
    try {
      return new LdapName(subject.getName(X500Principal.RFC2253))
          .getRdns().stream()
              .filter(rdn -> rdn.getType().equalsIgnoreCase("CN"))
              .map(Rdn::getValue)
              .map(value -> value instanceof String text ? text : "")
              .toList();
    } catch (InvalidNameException e) {
      return List.of();
    }
  }

  private static List<String> alternatives(X509Certificate certificate, int kind) {
    return AlternativeNames.entries(certificate, kind).stream().flatMap(name -> text(name).stream()).toList();
  }

  /** Returns the text of a name. A mail address is a text; an otherName is DER, its kind and, if its value is text, the value. */
  private static Optional<String> text(List<?> name) {
    if (name.size() >= 4) {
      return name.get(2).equals(UPN) && name.get(3) instanceof String value ? Optional.of(value) : Optional.empty();
    }
    return name.get(1) instanceof String value ? Optional.of(value) : Optional.empty();
  }
}
