package dev.gatehouse.idp.admin;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.realm.Realms;
import java.util.Optional;

/** Passkeys in the administration API: removes those of a person who has lost the device. */
public final class PasskeysResource implements AdminResource.PasskeyAdmin {

  private final Passkeys passkeys;
  private final Realms realms;
  private final Directories directories;
  private final AuditLog audit;

  public PasskeysResource(Passkeys passkeys, Realms realms, Directories directories, AuditLog audit) {
    this.passkeys = passkeys;
    this.realms = realms;
    this.directories = directories;
    this.audit = audit;
  }

  @Override
  public boolean removeAll(String realm, String person) {
    // A person who has left the directory is known only by id.
    PersonId id = SecondFactorsResource.find(realms, directories, realm, person).map(Person::id).orElse(new PersonId(person));
    if (passkeys.of(realm, id).isEmpty()) {
      return false;
    }
    audit.record(new AuditEvent.PasskeyChanged(new AuditEvent.Context(realm, "-", Optional.empty()), id.value(), "reset"));
    return passkeys.removeAll(realm, id) > 0;
  }
}
