package dev.gatehouse.common.saml;

import dev.gatehouse.common.key.SigningKey;
import dev.gatehouse.common.key.VerificationKey;
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
   * @param verifyWith whose key must have signed the document; empty accepts unsigned ones
   * @param now for validUntil: an expired document is refused
   */
  Reading<PartnerMetadata> read(byte[] document, String entityId, Optional<X509Certificate> verifyWith, Instant now);

  /** Our idp's metadata, signed. */
  byte[] writeIdp(IdpDescriptor descriptor, SigningKey key);

  /** Our sp's metadata, signed. */
  byte[] writeSp(SpDescriptor descriptor, SigningKey key);

  /** What our idp publishes. */
  record IdpDescriptor(
      String entityId,
      String displayName,
      Instant validUntil,
      Duration cacheDuration,
      List<VerificationKey> signing,
      List<PartnerMetadata.Endpoint> singleSignOn,
      List<PartnerMetadata.Endpoint> singleLogout,
      List<String> nameIdFormats) {}

  /** What our sp publishes. */
  record SpDescriptor(
      String entityId,
      String displayName,
      Instant validUntil,
      Duration cacheDuration,
      List<VerificationKey> signing,
      List<PartnerMetadata.AssertionConsumerService> assertionConsumers,
      List<PartnerMetadata.Endpoint> singleLogout,
      List<String> nameIdFormats) {}
}
