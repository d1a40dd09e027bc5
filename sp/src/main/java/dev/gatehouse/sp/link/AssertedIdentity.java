package dev.gatehouse.sp.link;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.SpConfig.SubjectMapping;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppSession;
import java.util.List;
import java.util.Map;

/**
 * What a verified assertion says of a person.
 *
 * @param attributes those that count, by plain name
 */
public record AssertedIdentity(String identityProvider, NameId nameId, Map<String, List<String>> attributes) {

  /** In {@code accept}: NameIDs are taken as user names. */
  private static final String NAME_ID = "nameId";

  /**
   * The account where the identity provider alone says who the person is, as the realm maps it. Names of different providers
   * never mean the same person: that of a provider whose names are not taken as they are is preceded by its entity ID.
   */
  public LocalAccount account(SpRealm realm, ProviderTrust trust) {
    String user = user(realm);
    String person = AppSession.personId(identityProvider, user).value();
    return named(realm, person, isPlainName(realm, trust) ? user : person);
  }

  /** A scoped name is its provider's: others were dropped. */
  private boolean isPlainName(SpRealm realm, ProviderTrust trust) {
    String attribute = AttributeName.plain(realm.sp().subject().user());
    boolean sent = !values(attribute).isEmpty();
    return trust.names(sent ? attribute : NAME_ID) || sent && AttributeName.isScoped(attribute);
  }

  /** An account of ours by that name, with the roles that the identity provider gives. */
  LocalAccount named(SpRealm realm, String person, String user) {
    SubjectMapping mapping = realm.sp().subject();
    return new LocalAccount(
        new PersonId(person),
        user,
        values(mapping.roles()),
        values(mapping.groups()),
        attributes);
  }

  /** The user's name: the mapped attribute, else the NameID. {@code UserNameCheck} saw to it that there is but one. */
  private String user(SpRealm realm) {
    List<String> names = values(realm.sp().subject().user());
    return names.isEmpty() ? nameId.value() : names.getFirst();
  }

  List<String> values(String attribute) {
    return attributes.getOrDefault(AttributeName.plain(attribute), List.of());
  }
}
