package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.metadata.MetadataOutline;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.FieldView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The JSON of imports. */
public final class PartnerImportViews {

  /** Metadata to import. */
  @Schema(name = "PartnerImport")
  public record PartnerImport(
      @Schema(
              description = "Address of the metadata; from then on the node fetches them there again and again",
              example = "https://idp.example.org/metadata")
          Optional<String> url,
      @Schema(description = "The metadata themselves, up to 1 MB; they become a file of the revision") Optional<String> xml,
      @Schema(description = "The entity ID; needed if the metadata describe several entities") Optional<String> entityId,
      @Schema(description = "Certificate in PEM whose key must have signed the metadata, now and whenever they are read")
          Optional<String> verifyWith,
      @Schema(description = "`digest` of a preview: other metadata than those are refused") Optional<String> digest,
      @Schema(description = "Further keys of the partner, for example `release`; those in use stay unless they are here")
          Optional<Map<String, @Nullable Object>> settings,
      @Schema(description = "Why, for people who read the revisions later") Optional<String> reason) {

    /** Returns the import of that entity, unless it names one. */
    PartnerImport choosing(Optional<String> other) {
      return new PartnerImport(url, xml, entityId.or(() -> other), verifyWith, digest, settings, reason);
    }
  }

  /** What was found, and what it would change or has changed. */
  @Schema(name = "ImportedPartner")
  public record ImportedPartner(
      @Schema(description = "The URL, or `document`") String source,
      @Schema(description = "SHA-256 of the metadata, in hexadecimal digits") Optional<String> digest,
      @Schema(description = "What the metadata describe; at most 100") List<EntityView> entities,
      @Schema(description = "How many entities the metadata describe") int entityCount,
      Optional<FoundPartner> found,
      @Schema(description = "What differs from the metadata in use, if the partner is configured") List<FieldView> differences,
      @Schema(description = "The partner's entry in the realm's file") Optional<String> entry,
      @Schema(description = "All problems; without one, it can be imported") List<ProblemView> problems,
      @Schema(description = "What the configuration would change, or has changed") Optional<PlanView> plan) {}

  /** An entity of the metadata. */
  @Schema(name = "MetadataEntity")
  public record EntityView(String entityId, @Schema(description = "Of SAML 2.0: idp, sp or both") List<String> roles) {

    static EntityView of(MetadataOutline.Entity entity) {
      List<String> roles = new ArrayList<>();
      if (entity.isIdentityProvider()) {
        roles.add("idp");
      }
      if (entity.isServiceProvider()) {
        roles.add("sp");
      }
      return new EntityView(entity.entityId(), List.copyOf(roles));
    }
  }

  /** The entity that would be imported. */
  @Schema(name = "FoundPartner")
  public record FoundPartner(
      String entityId,
      Optional<String> displayName,
      List<EndpointView> endpoints,
      @Schema(description = "Sorted by expiry") List<PartnerCertificateView> certificates,
      SignatureView signature,
      Optional<Instant> validUntil,
      @Schema(description = "Ignored parts of the metadata, and what to look at before the import") List<String> notes) {}

  /** An endpoint with a binding that is known here. */
  @Schema(name = "PartnerEndpoint")
  public record EndpointView(
      @Schema(allowableValues = {"idp", "sp"}) String role,
      @Schema(example = "SingleSignOnService") String service,
      @Schema(allowableValues = {"redirect", "post", "artifact", "soap"}) String binding,
      String location,
      @Schema(description = "Where responses go, if elsewhere") Optional<String> responseLocation) {

    /** Returns the endpoints of a partner in the order of its metadata. */
    static List<EndpointView> of(PartnerMetadata metadata) {
      List<EndpointView> all = new ArrayList<>();
      metadata
          .idp()
          .ifPresent(
              idp -> {
                idp.singleSignOn().forEach(e -> all.add(of("idp", "SingleSignOnService", e)));
                sso(all, "idp", idp.sso());
              });
      metadata
          .sp()
          .ifPresent(
              sp -> {
                sp.assertionConsumers().forEach(e -> all.add(of("sp", "AssertionConsumerService", e.binding(), e.location())));
                sso(all, "sp", sp.sso());
              });
      return List.copyOf(all);
    }

    private static void sso(List<EndpointView> to, String role, PartnerMetadata.SsoDescriptor sso) {
      sso.singleLogout().forEach(e -> to.add(of(role, "SingleLogoutService", e)));
      sso.manageNameId().forEach(e -> to.add(of(role, "ManageNameIDService", e)));
      sso.artifactResolution().forEach(e -> to.add(of(role, "ArtifactResolutionService", e.binding(), e.location())));
    }

    private static EndpointView of(String role, String service, Binding binding, String location) {
      return new EndpointView(role, service, word(binding), location, Optional.empty());
    }

    private static EndpointView of(String role, String service, PartnerMetadata.Endpoint endpoint) {
      return new EndpointView(role, service, word(endpoint.binding()), endpoint.location(), endpoint.responseLocation());
    }
  }

  /** The signature of the metadata. */
  @Schema(name = "MetadataSignature")
  public record SignatureView(
      @Schema(
              description =
                  "verified: by the key of `verifyWith`; intact: by the key of the certificate that the signature carries, so that nothing"
                      + " was changed since, but anybody may have signed; unverified: it carries no certificate; unsupported: by an algorithm"
                      + " that is not accepted; absent: not signed; invalid: changed, or signed by another key",
              allowableValues = {"verified", "intact", "unverified", "unsupported", "absent", "invalid"})
          String verdict,
      @Schema(description = "Subject of the certificate that the signature carries") Optional<String> subject,
      @Schema(description = "SHA-256 of that certificate, to compare with what the partner says on another way")
          Optional<String> fingerprint,
      Optional<String> detail) {

    static SignatureView of(MetadataOutline.Signature signature) {
      return new SignatureView(
          word(signature.verdict()),
          signature.certificate().map(certificate -> certificate.getSubjectX500Principal().getName()),
          signature.certificate().map(PartnerCertificateView::fingerprint),
          signature.detail());
    }
  }

  private PartnerImportViews() {}

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
