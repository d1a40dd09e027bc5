package dev.gatehouse.idp.session;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;

/**
 * Finds people for logins in which no bind asks the directory whether the account counts: by passkey or certificate, and after a first
 * step.
 */
public final class EnabledPeople {

  private final Directories directories;
  private final AuditLog audit;

  public EnabledPeople(Directories directories, AuditLog audit) {
    this.directories = directories;
    this.audit = audit;
  }

  /** The person as the directory says now. Empty, and audited as a refused login, if the person is gone or the account is disabled. */
  public Optional<Person> find(RealmRequest request, PersonId id, LoginContract contract) {
    Directory directory = directories.of(request.realm());
    Optional<Person> person = directory.findEnabled(id);
    if (person.isEmpty()) {
      Optional<Person> disabled = directory.find(id);
      RefusedReason reason = disabled.isPresent() ? RefusedReason.DISABLED : RefusedReason.UNKNOWN_NAME;
      String name = disabled.map(Person::name).orElse(id.value());
      audit.record(new AuditEvent.LoginRefused(request.context(), name, contract.word(), reason.name()));
    }
    return person;
  }
}
