package dev.gatehouse.sp.link;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.SpConfig.SubjectMapping;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppSession;
import java.util.List;
import java.util.Map;

/**
 * What a verified assertion says of a person.
 *
 * @param attributes those that count, by plain name
 */
public record Asserted(String identityProvider, NameId nameId, Map<String, List<String>> attributes) {

  /** The account where the identity provider alone says who the person is, as the realm maps it. */
  public LocalAccount account(SpRealm realm) {
    String user = user(realm);
    return named(realm, AppSession.personId(identityProvider, user).value(), user);
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
