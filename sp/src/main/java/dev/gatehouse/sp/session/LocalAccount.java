package dev.gatehouse.sp.session;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import java.util.List;
import java.util.Map;

/**
 * The account of a person at this service provider.
 *
 * @param user the user name that apps see
 * @param attributes by plain name
 */
public record LocalAccount(
    PersonId person, String user, List<String> roles, List<String> groups, Map<String, List<String>> attributes) {

  /** The account of a person in our directory: all values come from the directory, none from the identity provider. */
  public static LocalAccount of(Person person) {
    return new LocalAccount(
        person.id(), person.name(), List.copyOf(person.roles()), person.groups(), person.attributes());
  }
}
