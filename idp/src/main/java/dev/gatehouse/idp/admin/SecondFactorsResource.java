package dev.gatehouse.idp.admin;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSearch;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Second factors in the administration API: shows whether a person has one, and removes a lost one. */
public final class SecondFactorsResource implements AdminResource.SecondFactorAdmin {

  private final SecondFactors factors;
  private final Realms realms;
  private final Directories directories;
  private final AuditLog audit;
  private final InstantSource clock;

  public SecondFactorsResource(SecondFactors factors, Realms realms, Directories directories, AuditLog audit, InstantSource clock) {
    this.factors = factors;
    this.realms = realms;
    this.directories = directories;
    this.audit = audit;
    this.clock = clock;
  }

  @Override
  public Optional<SecondFactorView> ofPerson(String realm, String person) {
    return find(realm, person).map(found -> view(realm, found));
  }

  @Override
  public boolean reset(String realm, String person) {
    Optional<Person> found = find(realm, person);
    // A person who has left the directory is known only by id.
    PersonId id = found.map(Person::id).orElse(new PersonId(person));
    if (factors.of(realm, id).isEmpty()) {
      return false;
    }
    audit.record(
        new AuditEvent.SecondFactorChanged(
            new AuditEvent.Context(realm, "-", Optional.empty()),
            id.value(),
            found.map(Person::name).orElse("-"),
            "reset"));
    return factors.removeAll(realm, id);
  }

  @Override
  public boolean confirm(String realm, Optional<String> person) {
    Optional<Person> found = person.flatMap(named -> find(realm, named));
    if (person.isPresent() && found.isEmpty()) {
      return false;
    }
    audit.record(
        new AuditEvent.SecondFactorChanged(
            new AuditEvent.Context(realm, "-", Optional.empty()),
            found.map(known -> known.id().value()).orElse("*"),
            found.map(Person::name).orElse("*"),
            "confirmed"));
    factors.confirm(realm, found.map(Person::id), clock.instant());
    return true;
  }

  private Optional<Person> find(String realm, String person) {
    return find(realms, directories, realm, person);
  }

  /** Finds the person with that name or id in the directory of a realm with an identity provider. */
  static Optional<Person> find(Realms realms, Directories directories, String realm, String person) {
    return realms
        .find(realm)
        .filter(known -> known.idp().isPresent())
        .flatMap(known -> find(directories.of(known), known, person));
  }

  private static Optional<Person> find(Directory directory, Realm realm, String person) {
    Optional<Person> byId = directory.find(new PersonId(person));
    if (byId.isPresent()) {
      return byId;
    }
    String nameAttribute = realm.directory().orElseThrow().people().nameAttribute();
    return directory.findBy(nameAttribute, person) instanceof PersonSearch.One(Person byName)
        ? Optional.of(byName)
        : Optional.empty();
  }

  private SecondFactorView view(String realm, Person person) {
    List<SecondFactorView.AuthenticatorApp> apps =
        factors.of(realm, person.id()).stream()
            .map(factor -> new SecondFactorView.AuthenticatorApp(factor.label(), factor.createdAt(), factor.usedAt()))
            .toList();
    return new SecondFactorView(
        person.id().value(), person.name(), apps, factors.recoveryCodesLeft(realm, person.id()));
  }
}
