package dev.gatehouse.common.saml;

import java.util.List;
import java.util.Optional;

/** Metadata that nobody signed: refused with a reason, or of the entity that was asked for. */
public final class MetadataFuzz {

  private static final MetadataCodec CODEC = new CanonicalMetadataCodec();

  private MetadataFuzz() {}

  /** Keys take longer than an input may. */
  public static void fuzzerInitialize() {
    SamlFixtures.idpKey();
  }

  public static void fuzzerTestOneInput(byte[] document) {
    if (CODEC.read(document, SamlFixtures.IDP, Optional.empty(), SamlFixtures.NOW)
            instanceof Reading.Accepted<PartnerMetadata>(PartnerMetadata metadata)
        && !metadata.entityId().equals(SamlFixtures.IDP)) {
      throw new IllegalStateException("of another entity: " + metadata.entityId());
    }
  }

  public static List<byte[]> seeds() {
    return List.of(MetadataCodecTest.ourIdp());
  }
}
