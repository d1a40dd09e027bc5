package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.idp.endpoint.RealmRequest;

/**
 * Is notified that a person changed their password: access that somebody else may have gained with the old one ends.
 */
@FunctionalInterface
public interface PasswordNotice {
  void changed(RealmRequest request, Person person);
}
