package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.MetadataAggregate;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds out whether an aggregate is older than one that was imported before. An old one, well signed and not yet expired, could bring
 * back a revoked key, or an entity that its publisher has removed. Metadata have no version number: those are older that end earlier, or
 * not at all unlike those in use. Metadata that have ended count for nothing.
 */
final class AggregateAge {

  /** Where the files are that entries of a realm name by their path beside the realm's file. */
  private static final String BESIDE_REALMS = "realms/";

  private final MetadataCodec codec;
  private final ConfigurationControl control;
  private final InstantSource time;

  AggregateAge(MetadataCodec codec, ConfigurationControl control, InstantSource time) {
    this.codec = codec;
    this.control = control;
    this.time = time;
  }

  /**
   * Returns the entities of the aggregate whose metadata in use end later, with that end.
   *
   * @param documents of former imports of the aggregate: the file of each entity, as its entry names it
   */
  Map<String, Instant> newer(MetadataAggregate aggregate, Map<String, String> documents) {
    FileTree files = control.files();
    Map<String, Instant> newer = new TreeMap<>();
    documents.forEach(
        (entityId, file) ->
            Optional.ofNullable(files.files().get(BESIDE_REALMS + file))
                .flatMap(held -> end(held.content(), entityId))
                .filter(end -> aggregate.endsBefore(entityId, end))
                .ifPresent(end -> newer.put(entityId, end)));
    return newer;
  }

  private Optional<Instant> end(byte[] document, String entityId) {
    return switch (codec.read(document, entityId, Optional.empty(), time.instant())) {
      case Result.Accepted<PartnerMetadata, SamlRefusal>(PartnerMetadata held) -> held.validUntil();
      case Result.Refused<PartnerMetadata, SamlRefusal> ended -> Optional.empty();
    };
  }
}
