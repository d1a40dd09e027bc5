package dev.gatehouse.sp.link;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.SpConfig.SubjectMapping;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.LocalAccount;
import java.util.List;
import java.util.Map;

/**
 * The identity that a verified assertion states.
 *
 * @param attributes the attributes that count, by plain name
 */
public record AssertedIdentity(String identityProvider, NameId nameId, Map<String, List<String>> attributes) {

  /** The key in {@code accept} for using NameIDs as user names. */
  private static final String NAME_ID = "nameId";

  /**
   * The account of an identity for which the identity provider alone determines the person, mapped by the realm's
   * rules. Names of different providers never mean the same person: a name is preceded by the provider's entity ID if
   * the provider's names are not trusted.
   */
  public LocalAccount account(SpRealm realm, ProviderTrust trust) {
    String user = user(realm);
    String person = AppSession.personId(identityProvider, user).value();
    return named(realm, person, isPlainName(realm, trust, user) ? user : person);
  }

  /** A scoped name belongs to its provider, because values with other scopes were dropped. */
  private boolean isPlainName(SpRealm realm, ProviderTrust trust, String user) {
    String attribute = AttributeName.plain(realm.sp().subject().user());
    boolean sent = !values(attribute).isEmpty();
    return trust.grants(sent ? attribute : NAME_ID, user) || sent && AttributeName.isScoped(attribute);
  }

  /** A local account with this name, with the roles from the identity provider. */
  LocalAccount named(SpRealm realm, String person, String user) {
    SubjectMapping mapping = realm.sp().subject();
    return new LocalAccount(
        new PersonId(person),
        user,
        values(mapping.roles()),
        values(mapping.groups()),
        attributes);
  }

  /**
   * The user name: the mapped attribute, otherwise the NameID. {@code UserNameCheck} has ensured that there is only
   * one.
   */
  private String user(SpRealm realm) {
    List<String> names = values(realm.sp().subject().user());
    return names.isEmpty() ? nameId.value() : names.getFirst();
  }

  List<String> values(String attribute) {
    return attributes.getOrDefault(AttributeName.plain(attribute), List.of());
  }
}
