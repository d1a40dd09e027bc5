package dev.gatehouse.idp.admin;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.PasskeyView;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.realm.Realms;
import java.util.List;
import java.util.Optional;

/** Passkeys in the administration API: lists them, and removes those of a person who has lost the device. */
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
  public List<PasskeyView> ofPerson(String realm, String person) {
    return passkeys.of(realm, id(realm, person)).stream()
        .map(
            p ->
                new PasskeyView(
                    p.id(), p.label(), p.model().aaguid(), p.isStrong(), p.model().backupEligible(), p.createdAt(), p.state().usedAt()))
        .toList();
  }

  @Override
  public boolean remove(String realm, String person, Optional<String> passkey) {
    PersonId id = id(realm, person);
    if (passkeys.of(realm, id).stream().noneMatch(p -> passkey.isEmpty() || passkey.get().equals(p.id()))) {
      return false;
    }
    audit.record(new AuditEvent.PasskeyChanged(new AuditEvent.Context(realm, "-", Optional.empty()), id.value(), "reset"));
    return passkey.map(one -> passkeys.remove(realm, id, one)).orElseGet(() -> passkeys.removeAll(realm, id) > 0);
  }

  /** A person who has left the directory is known only by id. */
  private PersonId id(String realm, String person) {
    return SecondFactorsResource.find(realms, directories, realm, person).map(Person::id).orElse(new PersonId(person));
  }
}
