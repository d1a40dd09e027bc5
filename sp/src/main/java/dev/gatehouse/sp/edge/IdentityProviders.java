package dev.gatehouse.sp.edge;

import dev.gatehouse.common.realm.PartnerConfig.AsIdentityProvider;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.PartnerMetadata;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;

/** What is configured and known of the realm's identity providers. */
public final class IdentityProviders {

  private IdentityProviders() {}

  /** The metadata of that one; none of a partner that the realm sends nobody to. */
  public static Reading<PartnerMetadata> metadata(PartnerRegistry partners, SpRealm realm, String entityId) {
    return realm.identityProviders().contains(entityId)
        ? partners.metadata(realm.name(), entityId)
        : new Reading.Refused<>(new SamlRefusal(Reason.PARTNER_UNKNOWN, "no identity provider of ours: " + entityId));
  }

  /** How we use that one; nothing special where nothing is configured. */
  public static AsIdentityProvider rules(PartnerRegistry partners, SpRealm realm, String entityId) {
    return partners
        .find(realm.name(), entityId)
        .map(partner -> partner.config().asIdentityProvider())
        .orElse(AsIdentityProvider.PLAIN);
  }
}
