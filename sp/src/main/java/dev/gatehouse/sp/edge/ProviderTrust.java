package dev.gatehouse.sp.edge;

import dev.gatehouse.common.realm.PartnerConfig.AsIdentityProvider;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.AttributeName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The statements about people that an identity provider is trusted to make. The realm's own provider may state
 * everything. For any other provider, roles, groups, login classes and plain user names count only if {@code accept}
 * lists them. Otherwise each listed provider could give its people manager roles, claim second factors that were never
 * checked, or use another person's name.
 */
public final class ProviderTrust {

  /** The key in {@code accept} for the AuthnContextClassRefs, or {@code acr} values, that count. */
  public static final String AUTHN_CONTEXT = "authnContext";

  private final boolean own;
  private final Map<String, List<ValuePattern>> accept = new LinkedHashMap<>();

  private ProviderTrust(boolean own, Map<String, List<String>> accept) {
    this.own = own;
    accept.forEach(
        (name, values) -> this.accept.put(AttributeName.plain(name), values.stream().map(ValuePattern::new).toList()));
  }

  /**
   * @param own whether the provider is the realm's own
   * @param accept attribute or claim names with the values that count
   */
  public static ProviderTrust of(boolean own, Map<String, List<String>> accept) {
    return new ProviderTrust(own, accept);
  }

  /** The trust in a SAML partner. */
  public static ProviderTrust ofPartner(PartnerRegistry partners, SpRealm realm, String entityId) {
    AsIdentityProvider rules = IdentityProviders.rules(partners, realm, entityId);
    return new ProviderTrust(realm.realm().isOwnIdentityProvider(entityId), rules.accept());
  }

  /** The trust in an OpenID provider. */
  public static ProviderTrust ofProvider(Realm realm, ProviderConfig provider) {
    return new ProviderTrust(realm.isOwnIdentityProvider(provider.issuer()), provider.accept());
  }

  /**
   * Returns whether a value counts for an attribute that identifies a person but gives no rights: yes, unless only
   * other values are listed.
   */
  public boolean takes(String name, String value) {
    return listed(name, value).orElse(true);
  }

  /**
   * Returns whether a value counts that gives rights (a role, a group, a login class), or as a user name that is used
   * unchanged: only from the realm's own provider, or if listed. A name that does not count could mean another
   * provider's person.
   */
  public boolean grants(String name, String value) {
    return listed(name, value).orElse(own);
  }

  /** Returns the login class if it counts. */
  public Optional<String> authnContext(Optional<String> asserted) {
    return asserted.filter(value -> grants(AUTHN_CONTEXT, value));
  }

  private Optional<Boolean> listed(String name, String value) {
    return Optional.ofNullable(accept.get(AttributeName.plain(name)))
        .map(patterns -> patterns.stream().anyMatch(pattern -> pattern.matches(value)));
  }
}
