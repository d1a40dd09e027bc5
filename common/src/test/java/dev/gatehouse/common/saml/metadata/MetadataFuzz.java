package dev.gatehouse.common.saml.metadata;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.util.List;
import java.util.Optional;

/** Unsigned metadata is refused with a reason, or describes the requested entity and is safe to display. */
public final class MetadataFuzz {

  private static final MetadataCodec CODEC = new CanonicalMetadataCodec();

  private MetadataFuzz() {}

  /** Keys take longer than an input may. */
  public static void fuzzerInitialize() {
    SamlFixtures.idpKey();
  }

  public static void fuzzerTestOneInput(byte[] document) {
    if (CODEC.read(document, SamlFixtures.IDP, Optional.empty(), SamlFixtures.NOW)
        instanceof Result.Accepted(PartnerMetadata metadata)) {
      if (!metadata.entityId().equals(SamlFixtures.IDP)) {
        throw new IllegalStateException("of another entity: " + metadata.entityId());
      }
      metadata.idp().ifPresent(role -> checkShown(role.ui()));
    }
  }

  /** Pages display it unchanged. */
  private static void checkShown(UiInfo ui) {
    for (UiInfo.Logo logo : ui.logos()) {
      if (!logo.url().matches("(?i:https)://.*|data:image/.*")) {
        throw new IllegalStateException("a logo from " + logo.url());
      }
    }
    for (String link : ui.privacyUrls().values()) {
      if (!link.matches("(?i:https?)://.*")) {
        throw new IllegalStateException("a link to " + link);
      }
    }
  }

  public static List<byte[]> seeds() {
    return List.of(MetadataCodecTest.ourIdp(), RichMetadataTest.idp());
  }
}
