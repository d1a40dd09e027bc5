package dev.gatehouse.idp;

import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.PartnerMetadata;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.SamlRefusal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Partners that a test holds in its hand, the same for every realm. */
final class FixedPartners implements PartnerRegistry {

  private final Map<String, Partner> partners = new ConcurrentHashMap<>();

  void put(PartnerConfig config, PartnerMetadata metadata) {
    partners.put(
        config.entityId(),
        new Partner(config, new Partner.MetadataState.Usable(metadata, Instant.EPOCH, Optional.empty())));
  }

  void spoil(String entityId) {
    partners.computeIfPresent(
        entityId, (id, partner) -> new Partner(partner.config(), new Partner.MetadataState.Unusable("expired")));
  }

  @Override
  public Optional<Partner> find(String realm, String entityId) {
    return Optional.ofNullable(partners.get(entityId));
  }

  @Override
  public List<Partner> all(String realm) {
    return List.copyOf(partners.values());
  }

  @Override
  public Reading<PartnerMetadata> metadata(String realm, String entityId) {
    Partner partner = partners.get(entityId);
    if (partner == null) {
      return new Reading.Refused<>(new SamlRefusal(SamlRefusal.Reason.PARTNER_UNKNOWN, entityId));
    }
    return switch (partner.metadata()) {
      case Partner.MetadataState.Usable(var metadata, var at, var problem) -> new Reading.Accepted<>(metadata);
      case Partner.MetadataState.Unusable(var problem) ->
          new Reading.Refused<>(new SamlRefusal(SamlRefusal.Reason.PARTNER_METADATA_UNAVAILABLE, problem));
    };
  }
}
