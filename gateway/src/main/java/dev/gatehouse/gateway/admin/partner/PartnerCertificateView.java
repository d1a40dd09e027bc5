package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import io.swagger.v3.oas.annotations.media.Schema;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A certificate in a partner's metadata. */
@Schema(name = "PartnerCertificate")
public record PartnerCertificateView(
    @Schema(description = "Its entity ID") String partner,
    @Schema(allowableValues = {"idp", "sp"}) String role,
    @Schema(allowableValues = {"signing", "encryption"}) String use,
    @Schema(
            description =
                "Signing: whether signatures by its key are accepted; encryption: whether it is the one that is encrypted to. The dates do"
                    + " not matter for that (SAML V2.0 Metadata Interoperability Profile 2.6.1)")
        boolean inUse,
    String subject,
    @Schema(description = "In hexadecimal digits") String serialNumber,
    @Schema(description = "SHA-256 of the certificate, in hexadecimal digits") String fingerprint,
    @Schema(example = "RSA of 2048 bits") String key,
    Instant startsAt,
    Instant expiresAt) {

  /** Returns the certificates of a partner, sorted by expiry. */
  static List<PartnerCertificateView> of(PartnerMetadata metadata) {
    List<PartnerCertificateView> all = new ArrayList<>();
    String partner = metadata.entityId();
    metadata.idp().ifPresent(idp -> add(all, partner, "idp", idp.signing(), idp.encryption()));
    metadata.sp().ifPresent(sp -> add(all, partner, "sp", sp.signing(), sp.encryption()));
    all.sort(Comparator.comparing(PartnerCertificateView::expiresAt));
    return List.copyOf(all);
  }

  private static void add(
      List<PartnerCertificateView> to, String partner, String role, List<X509Certificate> signing, List<EncryptionKey> encryption) {
    signing.forEach(one -> to.add(of(partner, role, "signing", SignatureAlgorithm.anyFits(one.getPublicKey()), one)));
    for (int i = 0; i < encryption.size(); i++) {
      to.add(of(partner, role, "encryption", i == 0, encryption.get(i).certificate()));
    }
  }

  private static PartnerCertificateView of(String partner, String role, String use, boolean inUse, X509Certificate certificate) {
    return new PartnerCertificateView(
        partner,
        role,
        use,
        inUse,
        certificate.getSubjectX500Principal().getName(),
        certificate.getSerialNumber().toString(16),
        fingerprint(certificate),
        SignatureAlgorithm.described(certificate.getPublicKey()),
        certificate.getNotBefore().toInstant(),
        certificate.getNotAfter().toInstant());
  }

  static String fingerprint(X509Certificate certificate) {
    try {
      return Sha256.hex(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("it was read from its encoding", e);
    }
  }
}
