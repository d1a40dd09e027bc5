package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.idp.endpoint.RealmRequest;

/** Hears that a person changed their password: what somebody else may have got by the old one ends. */
@FunctionalInterface
public interface PasswordNotice {
  void changed(RealmRequest request, Person person);
}
