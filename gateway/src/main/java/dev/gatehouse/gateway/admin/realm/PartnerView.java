package dev.gatehouse.gateway.admin.realm;

import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import io.swagger.v3.oas.annotations.media.Schema;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A partner for administrators. */
@Schema(name = "Partner")
public record PartnerView(
    String entityId,
    String displayName,
    @Schema(description = "File or URL of its metadata") String source,
    @Schema(description = "The roles in its metadata: idp, sp or both") List<String> roles,
    @Schema(
            description = "unusable: never had its metadata, or past its validUntil; this partner alone is refused",
            allowableValues = {"usable", "unusable"})
        String metadata,
    @Schema(description = "The reason why it is unusable, or why the last refresh failed while the older document stays in use")
        Optional<String> problem,
    @Schema(description = "Ignored parts of its metadata, and settings that cannot work")
        List<String> warnings,
    Optional<Instant> fetchedAt,
    @Schema(description = "When the metadata expires") Optional<Instant> validUntil,
    @Schema(description = "Sorted by expiry") List<Certificate> certificates) {

  /** A certificate of the partner. */
  @Schema(name = "Certificate")
  public record Certificate(
      @Schema(allowableValues = {"signing", "encryption"}) String use,
      String subject,
      String serialNumber,
      Instant expiresAt) {
    static Certificate of(String use, X509Certificate certificate) {
      return new Certificate(
          use,
          certificate.getSubjectX500Principal().getName(),
          certificate.getSerialNumber().toString(16),
          certificate.getNotAfter().toInstant());
    }
  }

  /** Returns the view of a partner. */
  public static PartnerView of(Partner partner) {
    String source =
        switch (partner.config().metadata()) {
          case MetadataSource.File file -> file.path().toString();
          case MetadataSource.Url url -> url.url().toString();
        };
    return switch (partner.metadata()) {
      case MetadataState.Usable(PartnerMetadata metadata, Instant fetchedAt, Optional<String> lastProblem) ->
          new PartnerView(
              partner.entityId(),
              partner.displayName(),
              source,
              roles(metadata),
              "usable",
              lastProblem,
              partner.warnings(),
              Optional.of(fetchedAt),
              metadata.validUntil(),
              certificates(metadata));
      case MetadataState.Unusable(String problem) ->
          new PartnerView(
              partner.entityId(),
              partner.displayName(),
              source,
              List.of(),
              "unusable",
              Optional.of(problem),
              List.of(),
              Optional.empty(),
              Optional.empty(),
              List.of());
    };
  }

  private static List<String> roles(PartnerMetadata metadata) {
    List<String> roles = new ArrayList<>();
    metadata.idp().ifPresent(idp -> roles.add("idp"));
    metadata.sp().ifPresent(sp -> roles.add("sp"));
    return List.copyOf(roles);
  }

  private static List<Certificate> certificates(PartnerMetadata metadata) {
    Stream<X509Certificate> signing =
        Stream.concat(
            metadata.idp().stream().flatMap(idp -> idp.signing().stream()),
            metadata.sp().stream().flatMap(sp -> sp.signing().stream()));
    Stream<X509Certificate> encryption =
        Stream.concat(
                metadata.idp().stream().flatMap(idp -> idp.encryption().stream()),
                metadata.sp().stream().flatMap(sp -> sp.encryption().stream()))
            .map(EncryptionKey::certificate);
    return Stream.concat(
            signing.distinct().map(certificate -> Certificate.of("signing", certificate)),
            encryption.distinct().map(certificate -> Certificate.of("encryption", certificate)))
        .sorted(Comparator.comparing(Certificate::expiresAt))
        .toList();
  }
}
