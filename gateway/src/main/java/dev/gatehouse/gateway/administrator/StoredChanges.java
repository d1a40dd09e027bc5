package dev.gatehouse.gateway.administrator;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.AdministratorGrants.Change;
import dev.gatehouse.common.db.AdministratorGrants.PersonGrant;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Changes in the database of this process, audited as those of the command line. */
public final class StoredChanges implements AdministratorChanges {

  private static final String COMMAND_LINE = "command line";
  private static final String NODE = "-";

  private final String realm;
  private final Realms realms;
  private final Directories directories;
  private final AdministratorGrants grants;
  private final AuditLog audit;
  private final InstantSource time;

  /** @param realm whose people may be administrators */
  public StoredChanges(
      String realm, Realms realms, Directories directories, AdministratorGrants grants, AuditLog audit, InstantSource time) {
    this.realm = realm;
    this.realms = realms;
    this.directories = directories;
    this.grants = grants;
    this.audit = audit;
    this.time = time;
  }

  /** Gives that person everything in all realms, if nobody has a role; does nothing if there is no such person. */
  public void grantIfNobody(String person) {
    if (grants.all(realm).isEmpty() && find(person).isPresent()) {
      grant(person, AdministratorGrant.ALL, Optional.empty(), false);
    }
  }

  @Override
  public void grant(String person, AdministratorGrant grant, Optional<Instant> expiresAt, boolean evenLast) {
    grant.realm().filter(named -> realms.find(named).isEmpty()).ifPresent(
        named -> {
          throw new Refused("There is no realm " + named + ".");
        });
    Person found = find(person).orElseThrow(() -> new Refused("There is no such person in the realm " + realm + "."));
    PersonGrant wanted = new PersonGrant(realm, found.id(), found.name(), grant, expiresAt, COMMAND_LINE, time.instant());
    record(
        grant.realm(), "administrator.grant", found.id(),
        Map.of("name", found.name(), "after", grant + expiresAt.map(end -> " until " + end).orElse("")));
    done(grants.put(wanted, evenLast));
  }

  @Override
  public void revoke(String person, Optional<String> of, boolean evenLast) {
    if (of.filter(String::isEmpty).isPresent()) {
      throw new Refused("No realm has an empty name: leave it out for all roles of the person.");
    }
    PersonId id = meant(person);
    record(of, "administrator.revoke", id, Map.of("after", "-"));
    done(grants.remove(realm, id, of, evenLast));
  }

  private void record(Optional<String> of, String action, PersonId person, Map<String, String> details) {
    String before =
        grants.of(realm, person).stream()
            .filter(grant -> of.isEmpty() || grant.grant().realm().equals(of))
            .map(grant -> grant.grant().toString())
            .collect(Collectors.joining(", "));
    Map<String, String> all = new TreeMap<>(details);
    all.put("person", person.value());
    all.put("before", before.isEmpty() ? "-" : before);
    AuditEvent.Context context = new AuditEvent.Context(of.orElse(NODE), NODE, Optional.empty());
    audit.record(new AuditEvent.Administered(context, COMMAND_LINE, action, Map.copyOf(all)));
  }

  private static void done(Change change) {
    switch (change) {
      case DONE -> {}
      case ABSENT -> throw new Refused("There is no such person with such a role.");
      case LAST ->
          throw new Refused(
              "Nobody else has the role admin in all realms without an end: grant it to somebody else first, or add --even-last.");
    }
  }

  private Optional<Person> find(String person) {
    Realm found = realms.find(realm).orElseThrow(() -> new Refused("There is no realm " + realm + ", which admin.realm names."));
    try {
      return directories.of(found).find(directories.meant(found, person));
    } catch (DirectoryUnavailable e) {
      throw new Refused("The directory of the realm " + realm + " does not answer: " + e.getMessage());
    }
  }

  /** Also somebody who has left the directory, or whose directory is down. */
  private PersonId meant(String person) {
    List<PersonGrant> all = grants.all(realm);
    List<PersonId> known =
        all.stream()
            .filter(grant -> grant.person().value().equals(person) || grant.name().equals(person))
            .map(PersonGrant::person)
            .distinct()
            .toList();
    return known.size() == 1 ? known.getFirst() : find(person).map(Person::id).orElse(new PersonId(person));
  }
}
