package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.Pem;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.CertificateField;
import dev.gatehouse.common.realm.ContractsConfig.CertificateLogin;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.ContractsConfig.Totp;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code idp.contracts} of a realm. */
final class ContractsYaml {

  private static final Map<String, SecondFactor> SECOND_FACTOR =
      Map.of("off", SecondFactor.OFF, "optional", SecondFactor.OPTIONAL, "required", SecondFactor.REQUIRED);
  private static final Map<String, CertificateField> FIELDS =
      Map.of(
          "subjectCn", CertificateField.SUBJECT_CN,
          "subjectDn", CertificateField.SUBJECT_DN,
          "sanMail", CertificateField.SAN_MAIL,
          "sanUpn", CertificateField.SAN_UPN);
  private static final Map<String, Integer> DIGITS = Map.of("6", 6, "8", 8);

  private final YamlSection contracts;
  private final Optional<Origin> idp;

  /** @param idp the identity provider's own origin, as far as it could be read */
  ContractsYaml(YamlSection contracts, Optional<Origin> idp) {
    this.contracts = contracts;
    this.idp = idp;
  }

  ContractsConfig read() {
    YamlSection totp = contracts.sectionOrEmpty("totp");
    return new ContractsConfig(
        contracts.read("basic", false, YamlValue::bool),
        contracts.read("secondFactor", SecondFactor.OPTIONAL, v -> v.choice(SECOND_FACTOR)),
        new Totp(totp.value("issuer").flatMap(ContractsYaml::issuer), totp.read("digits", 6, v -> v.choice(DIGITS))),
        contracts.section("certificate").flatMap(this::certificate));
  }

  /** Refuses a colon, which would end the issuer in the label that apps read (Google's Key Uri Format). */
  private static Optional<String> issuer(YamlValue value) {
    return value.text().contains(":")
        ? value.wrong(value.shown() + " has a colon", "write a plain name, which apps show beside the code")
        : value.string();
  }

  private Optional<CertificateLogin> certificate(YamlSection section) {
    Optional<Origin> publicUrl =
        section
            .required("publicUrl", YamlValue::origin, "write the origin of listeners.certificateLogin, as browsers reach it")
            .filter(origin -> isItsOwn(section, origin));
    Optional<List<X509Certificate>> authorities =
        section.required("ca", ContractsYaml::authorities, "name the PEM file of the authority whose certificates count");
    Optional<CertificateField> field =
        section.required("field", v -> v.choice(FIELDS), "write which field names the person, like subjectCn");
    Optional<String> attribute =
        section.required(
            "attribute", YamlValue::ldapAttribute, "write the directory's attribute that has the field's value, like uid");
    List<X509CRL> revoked = section.value("crl").flatMap(ContractsYaml::revoked).orElse(List.of());
    if (publicUrl.isEmpty() || authorities.isEmpty() || field.isEmpty() || attribute.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new CertificateLogin(
            URI.create(publicUrl.get().toString()), authorities.get(), field.get(), attribute.get(), revoked));
  }

  private boolean isItsOwn(YamlSection section, Origin origin) {
    if (!origin.isSecure()) {
      section.problem("publicUrl", "is not https: client certificates are part of TLS", "write https://");
      return false;
    }
    if (idp.filter(origin::equals).isPresent()) {
      section.problem(
          "publicUrl", "is idp.publicUrl, whose listener asks nobody for a certificate", "give it a port or host of its own");
      return false;
    }
    return true;
  }

  /** Reads the certificates of authorities in a PEM file. */
  static Optional<List<X509Certificate>> authorities(YamlValue value) {
    return value.content().flatMap(content -> authorities(value, content));
  }

  private static Optional<List<X509Certificate>> authorities(YamlValue value, byte[] content) {
    List<X509Certificate> certificates;
    try {
      certificates = Pem.certificates(content);
    } catch (GeneralSecurityException e) {
      return value.wrong("is not a PEM certificate: " + value.shownPath(), "write the path of a file with BEGIN CERTIFICATE");
    }
    // Basic constraints of -1: the certificate may not sign another certificate (RFC 5280, section 4.2.1.9).
    return certificates.stream().allMatch(certificate -> certificate.getBasicConstraints() >= 0)
        ? Optional.of(certificates)
        : value.wrong(
            "holds a certificate that is no authority's: " + value.shownPath(), "name the certificate of the CA itself");
  }

  private static Optional<List<X509CRL>> revoked(YamlValue value) {
    return value.content().flatMap(content -> revoked(value, content));
  }

  private static Optional<List<X509CRL>> revoked(YamlValue value, byte[] content) {
    List<X509CRL> lists = List.of();
    try {
      lists =
          CertificateFactory.getInstance("X.509").generateCRLs(new ByteArrayInputStream(content)).stream()
              .filter(X509CRL.class::isInstance)
              .map(X509CRL.class::cast)
              .toList();
    } catch (GeneralSecurityException e) {
      // Reported below.
    }
    return lists.isEmpty()
        ? value.wrong("is not a list of revoked certificates: " + value.shownPath(), "name a CRL, PEM or DER")
        : Optional.of(lists);
  }
}
