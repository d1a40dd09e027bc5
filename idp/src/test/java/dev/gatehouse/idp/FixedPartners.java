package dev.gatehouse.idp;

import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Partners that a test sets directly, the same for every realm. */
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

  /** Its metadata lists no SingleLogoutService any more. */
  void withoutLogout(String entityId) {
    withLogout(entityId, PartnerConfig.Logout.FRONT);
  }

  /** Its metadata lists only these services, and this channel is preferred. */
  void withLogout(String entityId, PartnerConfig.Logout preferred, Endpoint... services) {
    partners.computeIfPresent(
        entityId,
        (id, partner) -> {
          PartnerConfig c = partner.config();
          PartnerConfig config =
              new PartnerConfig(
                  c.entityId(), c.displayName(), c.metadata(), c.release(), c.nameId(), preferred,
                  c.asServiceProvider(), c.asIdentityProvider(), false);
          PartnerMetadata old = Idp.metadata(id, false);
          SpRole sp = old.sp().orElseThrow();
          PartnerMetadata metadata =
              new PartnerMetadata(
                  id, old.validUntil(), old.cacheDuration(), old.displayName(), old.idp(),
                  Optional.of(
                      new SpRole(
                          sp.signing(), sp.authnRequestsSigned(), sp.wantAssertionsSigned(), sp.assertionConsumers(),
                          List.of(services), sp.sso().nameIdFormats())));
          return new Partner(config, new Partner.MetadataState.Usable(metadata, Instant.EPOCH, Optional.empty()));
        });
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
  public Result<PartnerMetadata, SamlRefusal> metadata(String realm, String entityId) {
    Partner partner = partners.get(entityId);
    if (partner == null) {
      return new Result.Refused<>(new SamlRefusal(SamlRefusal.Reason.PARTNER_UNKNOWN, entityId));
    }
    return switch (partner.metadata()) {
      case Partner.MetadataState.Usable(var metadata, var at, var problem) -> new Result.Accepted<>(metadata);
      case Partner.MetadataState.Unusable(var problem) ->
          new Result.Refused<>(new SamlRefusal(SamlRefusal.Reason.PARTNER_METADATA_UNAVAILABLE, problem));
    };
  }
}
