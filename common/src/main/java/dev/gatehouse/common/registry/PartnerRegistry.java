package dev.gatehouse.common.registry;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.util.List;
import java.util.Optional;

/**
 * The SAML partners of each realm. Metadata is fetched in the background and stored on disk; the last good document stays in use
 * until its validUntil.
 */
public interface PartnerRegistry {

  Optional<Partner> find(String realm, String entityId);

  List<Partner> all(String realm);

  /** Returns the partner that issues artifacts with this source ID (SAML Bindings 3.6.4.2). */
  default Optional<Partner> bySourceId(String realm, String sourceId) {
    return all(realm).stream().filter(partner -> Artifact.sourceId(partner.entityId()).equals(sourceId)).findFirst();
  }

  /** Returns the metadata to use now, or PARTNER_UNKNOWN or PARTNER_METADATA_UNAVAILABLE. */
  Result<PartnerMetadata, SamlRefusal> metadata(String realm, String entityId);
}
