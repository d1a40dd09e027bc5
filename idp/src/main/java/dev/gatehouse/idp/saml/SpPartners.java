package dev.gatehouse.idp.saml;

import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
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
          case Result.Accepted(var metadata) when metadata.sp().isEmpty() -> unknown();
          case Result.Accepted<PartnerMetadata, SamlRefusal> accepted -> accepted;
          case Result.Refused<PartnerMetadata, SamlRefusal> refused -> refused;
        };
  }

  public Result<Sp, SamlRefusal> find(String realm, String entityId) {
    return switch (lookup(realm).apply(entityId)) {
      case Result.Refused(var refusal) -> new Result.Refused<>(refusal);
      case Result.Accepted(var metadata) -> {
        Optional<Partner> partner = registry.find(realm, entityId);
        Optional<SpRole> role = metadata.sp();
        yield partner.isEmpty() || role.isEmpty()
            ? unknown()
            : new Result.Accepted<>(new Sp(partner.get(), role.get()));
      }
    };
  }

  /** The display name; the entity ID if there is none. */
  public String displayName(String realm, String entityId) {
    return registry.find(realm, entityId).map(Partner::displayName).orElse(entityId);
  }

  private static <T> Result<T, SamlRefusal> unknown() {
    return new Result.Refused<>(
        new SamlRefusal(SamlRefusal.Reason.PARTNER_UNKNOWN, "no service provider of this realm"));
  }
}
