package dev.gatehouse.sp.link;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import java.util.List;
import java.util.Map;

/**
 * Who a person is at this side.
 *
 * @param user the user name that apps see
 * @param attributes by plain name
 */
public record LocalAccount(
    PersonId person, String user, List<String> roles, List<String> groups, Map<String, List<String>> attributes) {

  /** A person of our directory: everything is as it says, nothing as the identity provider does. */
  public static LocalAccount of(Person person) {
    return new LocalAccount(
        person.id(), person.name(), List.copyOf(person.roles()), person.groups(), person.attributes());
  }
}
