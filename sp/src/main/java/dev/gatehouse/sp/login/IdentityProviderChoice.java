package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderState;
import java.util.List;
import java.util.Optional;

/**
 * Determines the identity provider of a login (SAML Profiles 4.1.3.2): the route's own, the chosen one, the realm's
 * only one, or the one that the person always wants. If none of these exists, the person chooses.
 */
public final class IdentityProviderChoice {

  private final PartnerRegistry partners;
  private final OpenIdProviders providers;

  public IdentityProviderChoice(PartnerRegistry partners, OpenIdProviders providers) {
    this.partners = partners;
    this.providers = providers;
  }

  /** Returns its entity ID or issuer; empty if the person must choose. */
  Optional<String> of(SpRealm realm, EdgeRequest request, LoginRequest loginRequest) {
    return loginRequest.requirements(realm)
        .identityProvider()
        .or(loginRequest::identityProvider)
        .or(() -> only(realm))
        .or(() -> IdentityProviderMemory.of(request).always(realm).filter(id -> isUsable(realm, id)));
  }

  /** Returns whether a login at this identity provider can begin now. */
  boolean isUsable(SpRealm realm, String entityId) {
    if (realm.openIdProvider(entityId).isPresent()) {
      return providers.state(entityId) instanceof ProviderState.Usable known
          && known.metadata().authorizationEndpoint().isPresent();
    }
    return partners.metadata(realm.name(), entityId) instanceof Result.Accepted(var metadata)
        && metadata.idp().isPresent();
  }

  private static Optional<String> only(SpRealm realm) {
    List<String> all = realm.identityProviders();
    return all.size() == 1 ? Optional.of(all.getFirst()) : Optional.empty();
  }
}
