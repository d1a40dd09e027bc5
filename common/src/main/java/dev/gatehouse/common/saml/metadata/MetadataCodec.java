package dev.gatehouse.common.saml.metadata;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads and writes metadata documents (SAML Metadata 2), one EntityDescriptor or one out of an EntitiesDescriptor. */
public interface MetadataCodec {

  /**
   * Reads the entity's descriptor.
   *
   * @param verifyWith the certificate whose key must have signed the document; empty accepts unsigned ones
   * @param now for validUntil: an expired document is refused
   */
  Result<PartnerMetadata, SamlRefusal> read(byte[] document, String entityId, Optional<X509Certificate> verifyWith, Instant now);

  /** Writes our idp's metadata, signed. */
  byte[] writeIdp(IdpDescriptor descriptor, SigningKey key);

  /** Writes our sp's metadata, signed. */
  byte[] writeSp(SpDescriptor descriptor, SigningKey key);

  /**
   * The published data of our idp.
   *
   * @param wantAuthnRequestsSigned whether unsigned AuthnRequests are refused
   * @param encryption certificates of RSA keys to which others may encrypt
   */
  record IdpDescriptor(
      String entityId,
      UiInfo ui,
      Instant validUntil,
      Duration cacheDuration,
      boolean wantAuthnRequestsSigned,
      List<VerificationKey> signing,
      List<VerificationKey> encryption,
      List<PartnerMetadata.Endpoint> singleSignOn,
      PartnerMetadata.SsoDescriptor sso,
      List<String> scopes) {

    /** Creates a descriptor with single sign-on and single logout only. */
    public IdpDescriptor(
        String entityId,
        String displayName,
        Instant validUntil,
        Duration cacheDuration,
        List<VerificationKey> signing,
        List<PartnerMetadata.Endpoint> singleSignOn,
        List<PartnerMetadata.Endpoint> singleLogout,
        List<String> nameIdFormats) {
      this(
          entityId, UiInfo.named(displayName), validUntil, cacheDuration, false, signing, List.of(), singleSignOn,
          new PartnerMetadata.SsoDescriptor(singleLogout, nameIdFormats), List.of());
    }
  }

  /**
   * The published data of our sp.
   *
   * @param encryption certificates of RSA keys to which others may encrypt
   */
  record SpDescriptor(
      String entityId,
      UiInfo ui,
      Instant validUntil,
      Duration cacheDuration,
      List<VerificationKey> signing,
      List<VerificationKey> encryption,
      List<PartnerMetadata.AssertionConsumerService> assertionConsumers,
      PartnerMetadata.SsoDescriptor sso,
      List<PartnerMetadata.AttributeConsumingService> attributeConsumers) {

    /** Creates a descriptor with single sign-on and single logout only. */
    public SpDescriptor(
        String entityId,
        String displayName,
        Instant validUntil,
        Duration cacheDuration,
        List<VerificationKey> signing,
        List<PartnerMetadata.AssertionConsumerService> assertionConsumers,
        List<PartnerMetadata.Endpoint> singleLogout,
        List<String> nameIdFormats) {
      this(
          entityId, UiInfo.named(displayName), validUntil, cacheDuration, signing, List.of(), assertionConsumers,
          new PartnerMetadata.SsoDescriptor(singleLogout, nameIdFormats), List.of());
    }
  }
}
