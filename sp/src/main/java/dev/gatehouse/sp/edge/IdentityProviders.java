package dev.gatehouse.sp.edge;

import dev.gatehouse.common.realm.PartnerConfig.AsIdentityProvider;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.common.stringprep.StringPreparation;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Configuration and metadata of the realm's identity providers. */
public final class IdentityProviders {

  private IdentityProviders() {}

  /** The metadata of the identity provider; refused for a partner that is not one of the realm's identity providers. */
  public static Result<PartnerMetadata, SamlRefusal> metadata(PartnerRegistry partners, SpRealm realm, String entityId) {
    return realm.identityProviders().contains(entityId)
        ? partners.metadata(realm.name(), entityId)
        : new Result.Refused<>(new SamlRefusal(Reason.PARTNER_UNKNOWN, "no identity provider of ours: " + entityId));
  }

  /**
   * The domains that the identity provider owns, in the form of {@link StringPreparation#compared}: the configured ones;
   * those of its metadata ({@code shibmd:Scope}) only if none are configured. A provider that publishes its metadata
   * itself could otherwise take any domain.
   */
  public static Set<String> scopes(PartnerRegistry partners, SpRealm realm, String entityId) {
    List<String> configured = rules(partners, realm, entityId).scopes();
    List<String> counting = configured.isEmpty() ? publishedScopes(partners, realm, entityId) : configured;
    return counting.stream().map(StringPreparation::compared).collect(Collectors.toUnmodifiableSet());
  }

  private static List<String> publishedScopes(PartnerRegistry partners, SpRealm realm, String entityId) {
    return partners.metadata(realm.name(), entityId) instanceof Result.Accepted(var metadata)
        ? metadata.idp().map(IdpRole::scopes).orElse(List.of())
        : List.of();
  }

  /** The display name, whatever protocol the provider speaks. */
  public static String name(PartnerRegistry partners, SpRealm realm, String identityProvider) {
    return realm
        .openIdProvider(identityProvider)
        .map(ProviderConfig::name)
        .or(() -> partners.find(realm.name(), identityProvider).map(Partner::displayName))
        .orElse(identityProvider);
  }

  /** The configured rules for the identity provider; the default rules if none are configured. */
  public static AsIdentityProvider rules(PartnerRegistry partners, SpRealm realm, String entityId) {
    return partners
        .find(realm.name(), entityId)
        .map(partner -> partner.config().asIdentityProvider())
        .orElse(AsIdentityProvider.PLAIN);
  }
}
