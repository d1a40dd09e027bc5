package dev.gatehouse.sp.edge;

import dev.gatehouse.common.realm.PartnerConfig.AsIdentityProvider;
import dev.gatehouse.common.registry.PartnerRegistry;

/** What is configured of the realm's identity providers. */
public final class IdentityProviders {

  private IdentityProviders() {}

  /** How we use that one; nothing special where nothing is configured. */
  public static AsIdentityProvider rules(PartnerRegistry partners, SpRealm realm, String entityId) {
    return partners
        .find(realm.name(), entityId)
        .map(partner -> partner.config().asIdentityProvider())
        .orElse(AsIdentityProvider.PLAIN);
  }
}
