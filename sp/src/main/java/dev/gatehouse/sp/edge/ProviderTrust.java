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
 * What an identity provider may say of people. The realm's own one may say everything. Of any other one, roles, groups, login
 * classes and plain user names count only where {@code accept} lists them: else each provider that a realm lists could make its
 * people managers, vouch for second factors that nobody saw, or call one of them by the name of somebody else.
 */
public final class ProviderTrust {

  /** In {@code accept}: the AuthnContextClassRefs, or {@code acr} values, that count. */
  public static final String AUTHN_CONTEXT = "authnContext";

  private final boolean own;
  private final Map<String, List<ValuePattern>> accept = new LinkedHashMap<>();

  private ProviderTrust(boolean own, Map<String, List<String>> accept) {
    this.own = own;
    accept.forEach(
        (name, values) -> this.accept.put(AttributeName.plain(name), values.stream().map(ValuePattern::new).toList()));
  }

  /** @param own whether it is the realm's own; @param accept attribute or claim name to the values that count */
  public static ProviderTrust of(boolean own, Map<String, List<String>> accept) {
    return new ProviderTrust(own, accept);
  }

  /** Of a SAML partner. */
  public static ProviderTrust ofPartner(PartnerRegistry partners, SpRealm realm, String entityId) {
    AsIdentityProvider rules = IdentityProviders.rules(partners, realm, entityId);
    return new ProviderTrust(realm.realm().isOwnIdentityProvider(entityId), rules.accept());
  }

  /** Of an OpenID provider. */
  public static ProviderTrust ofProvider(Realm realm, ProviderConfig provider) {
    return new ProviderTrust(realm.isOwnIdentityProvider(provider.issuer()), provider.accept());
  }

  /** Whether a value counts of an attribute that says who somebody is, but not what they may do: unless others are listed. */
  public boolean takes(String name, String value) {
    return listed(name, value).orElse(true);
  }

  /** Whether a value counts that gives rights (a role, a group, a login class): only of the realm's own, or where listed. */
  public boolean grants(String name, String value) {
    return listed(name, value).orElse(own);
  }

  /** Whether names of people are taken as they are: nobody else's name can be meant. */
  public boolean names(String attribute) {
    return own || accept.containsKey(AttributeName.plain(attribute));
  }

  /** The login class, if it counts. */
  public Optional<String> authnContext(Optional<String> asserted) {
    return asserted.filter(value -> grants(AUTHN_CONTEXT, value));
  }

  private Optional<Boolean> listed(String name, String value) {
    return Optional.ofNullable(accept.get(AttributeName.plain(name)))
        .map(patterns -> patterns.stream().anyMatch(pattern -> pattern.matches(value)));
  }
}
