package dev.gatehouse.idp.saml;

import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import java.util.Optional;

/** The partners of a realm that are service providers. */
public final class SpPartners {

  /** A service provider whose metadata can currently be used. */
  public record Sp(Partner partner, SpRole role) {
    public PartnerConfig config() {
      return partner.config();
    }

    public String entityId() {
      return partner.entityId();
    }

    public String displayName() {
      return partner.displayName();
    }
  }

  private final PartnerRegistry registry;

  public SpPartners(PartnerRegistry registry) {
    this.registry = registry;
  }

  /** The lookup for message readers: metadata of service providers only. */
  public SamlReader.PartnerLookup lookup(String realm) {
    return entityId ->
        switch (registry.metadata(realm, entityId)) {
          case Reading.Accepted<PartnerMetadata>(var metadata) when metadata.sp().isEmpty() -> unknown();
          case Reading.Accepted<PartnerMetadata> accepted -> accepted;
          case Reading.Refused<PartnerMetadata> refused -> refused;
        };
  }

  public Reading<Sp> find(String realm, String entityId) {
    return switch (lookup(realm).apply(entityId)) {
      case Reading.Refused<PartnerMetadata>(var refusal) -> new Reading.Refused<>(refusal);
      case Reading.Accepted<PartnerMetadata>(var metadata) -> {
        Optional<Partner> partner = registry.find(realm, entityId);
        Optional<SpRole> role = metadata.sp();
        yield partner.isEmpty() || role.isEmpty()
            ? unknown()
            : new Reading.Accepted<>(new Sp(partner.get(), role.get()));
      }
    };
  }

  /** The display name; the entity ID if there is none. */
  public String displayName(String realm, String entityId) {
    return registry.find(realm, entityId).map(Partner::displayName).orElse(entityId);
  }

  private static <T> Reading<T> unknown() {
    return new Reading.Refused<>(
        new SamlRefusal(SamlRefusal.Reason.PARTNER_UNKNOWN, "no service provider of this realm"));
  }
}
