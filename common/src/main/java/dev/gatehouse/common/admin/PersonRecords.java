package dev.gatehouse.common.admin;

import dev.gatehouse.common.admin.AdminResource.FederationView;
import dev.gatehouse.common.admin.AdminResource.PersonReference;
import dev.gatehouse.common.admin.AdminResource.SecondFactorView;
import dev.gatehouse.common.admin.AdminResource.SessionView;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.NameOwner;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SpConfig;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything that this node stores about a person: exported (GDPR, article 15) or removed (article 17) in one step. The directory is
 * read and never changed, and events of the audit log are exported and stay until their retention ends.
 */
public final class PersonRecords {

  /** The kind of sessions whose participant is the provider that named the person. */
  public static final String AT_APPS = "app";

  /**
   * What is known about a person.
   *
   * @param directory absent if the directory has no such person any more
   * @param stored further entries by kind; a value that would give access is not among them
   * @param audit events about the person, the newest first; at most 10,000
   */
  public record PersonDataExport(
      String person,
      String name,
      Instant at,
      Optional<DirectoryEntry> directory,
      List<SessionView> sessions,
      List<FederationView> federation,
      Optional<SecondFactorView> secondFactor,
      Map<String, List<Map<String, Object>>> stored,
      List<Map<String, Object>> audit) {}

  /** What a help desk sees of a person. */
  public record PersonOverview(
      Optional<DirectoryEntry> directory,
      List<SessionView> sessions,
      List<FederationView> federation,
      Optional<SecondFactorView> secondFactor) {}

  /** The person in the directory, as far as Gatehouse reads it. */
  public record DirectoryEntry(Map<String, List<String>> attributes, List<String> groups, List<String> roles) {}

  /** The resources of the roles that this node plays. */
  public record Resources(
      List<AdminResource.Sessions> sessions,
      List<AdminResource.Federations> federation,
      List<AdminResource.SecondFactorAdmin> factors,
      List<AdminResource.PersonData> data) {}

  private final Directories directories;
  private final Supplier<Resources> resources;
  private final Function<PersonIn, List<Map<String, Object>>> events;
  private final AuditLog audit;
  private final InstantSource clock;

  /** A person in a realm, for a search of the audit log. */
  public record PersonIn(String realm, PersonReference person) {}

  /** @param events searches the audit log */
  public PersonRecords(
      Directories directories,
      Supplier<Resources> resources,
      Function<PersonIn, List<Map<String, Object>>> events,
      AuditLog audit,
      InstantSource clock) {
    this.directories = directories;
    this.resources = resources;
    this.events = events;
    this.audit = audit;
    this.clock = clock;
  }

  /** Returns the person with that login name or id; somebody who left the directory is known by id. */
  public PersonReference find(Realm realm, String nameOrId) {
    return entry(realm, nameOrId)
        .map(person -> new PersonReference(person.id().value(), person.name()))
        .orElseGet(() -> new PersonReference(nameOrId, nameOrId));
  }

  private Optional<Person> entry(Realm realm, String nameOrId) {
    if (realm.directory().isEmpty()) {
      return Optional.empty();
    }
    Directory directory = directories.of(realm);
    NameOwner owner = directory.owners(List.of(nameOrId)).getOrDefault(nameOrId, new NameOwner.None());
    return directory.find(owner instanceof NameOwner.One(PersonId id) ? id : new PersonId(nameOrId));
  }

  /**
   * Returns everything about the person, and records that it was asked for.
   *
   * @param by {@code person} or an administrator
   */
  public PersonDataExport export(AuditEvent.Context context, Realm realm, PersonReference person, String by) {
    audit.record(new AuditEvent.PersonDataExported(context, person.id(), by));
    return new PersonDataExport(
        person.id(),
        person.name(),
        clock.instant(),
        described(realm, person),
        sessions(realm, person),
        federation(realm, person),
        factor(realm, person),
        stored(realm, person),
        events.apply(new PersonIn(realm.name(), person)));
  }

  /** Returns what a help desk sees of the person. */
  public PersonOverview overview(Realm realm, PersonReference person) {
    return new PersonOverview(described(realm, person), sessions(realm, person), federation(realm, person), factor(realm, person));
  }

  private Optional<DirectoryEntry> described(Realm realm, PersonReference person) {
    return entry(realm, person.id())
        .map(
            found ->
                new DirectoryEntry(new TreeMap<>(found.attributes()), found.groups(), found.roles().stream().sorted().toList()));
  }

  /** Returns the numbers of entries by kind that {@link #erase} would remove now. */
  public Map<String, Integer> counts(Realm realm, PersonReference person) {
    Map<String, Integer> counts = new TreeMap<>();
    counts.put("sessions", sessions(realm, person).size());
    counts.put("federation", federation(realm, person).size());
    counts.put("secondFactors", factor(realm, person).map(view -> view.apps().size()).orElse(0));
    stored(realm, person).forEach((kind, entries) -> counts.put(kind, entries.size()));
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  /**
   * Removes everything about the person that is not in the directory, and returns the numbers by kind. May be repeated after a failure.
   *
   * @param by an administrator
   */
  public Map<String, Integer> erase(AuditEvent.Context context, Realm realm, PersonReference person, String by) {
    Map<String, Integer> removed = new TreeMap<>();
    Resources all = resources.get();
    int ended = 0;
    for (SessionView session : sessions(realm, person)) {
      ended += all.sessions().stream().anyMatch(kind -> isEnded(kind, realm, session, by)) ? 1 : 0;
    }
    removed.put("sessions", ended);
    int names = 0;
    for (FederationView name : federation(realm, person)) {
      names +=
          all.federation().stream()
                  .filter(kind -> kind.kind().equals(name.kind()))
                  .anyMatch(kind -> kind.end(realm.name(), name.partner(), name.nameId(), by).isPresent())
              ? 1
              : 0;
    }
    removed.put("federation", names);
    removed.put("secondFactors", factor(realm, person).map(view -> view.apps().size()).orElse(0));
    all.data().forEach(data -> data.erase(realm.name(), person, by).forEach((kind, count) -> removed.merge(kind, count, Integer::sum)));
    removed.values().removeIf(count -> count == 0);
    audit.record(new AuditEvent.PersonDataErased(context, person.id(), by, removed));
    return removed;
  }

  private static boolean isEnded(AdminResource.Sessions kind, Realm realm, SessionView session, String by) {
    return kind.kind().equals(session.kind()) && kind.end(realm.name(), session.id(), by);
  }

  /** Sessions are found by id at the identity provider, and by name at apps. */
  private List<SessionView> sessions(Realm realm, PersonReference person) {
    Map<String, SessionView> found = new LinkedHashMap<>();
    for (AdminResource.Sessions kind : resources.get().sessions()) {
      names(person)
          .flatMap(name -> kind.ofPerson(realm.name(), name).stream())
          .filter(session -> session.person().equals(person.id()) || isOfOwnProvider(realm, session))
          .forEach(session -> found.put(session.kind() + " " + session.id(), session));
    }
    return List.copyOf(found.values());
  }

  private static boolean isOfOwnProvider(Realm realm, SessionView session) {
    return !session.kind().equals(AT_APPS) || providers(realm).containsAll(session.participants());
  }

  /**
   * Returns the entity IDs of those who call people of the realm's directory by their login names: its own identity provider and its
   * service provider. Names of other providers mean other people, unless the realm has no identity provider of its own.
   */
  public static Set<String> providers(Realm realm) {
    Stream<String> naming =
        realm.idp().isPresent()
            ? realm.idp().map((IdpConfig idp) -> idp.entityId(realm.name())).stream()
            : realm.sp().stream().flatMap(sp -> sp.identityProviders().stream());
    return Stream.concat(naming, realm.sp().map(SpConfig::entityId).stream()).collect(Collectors.toUnmodifiableSet());
  }

  private List<FederationView> federation(Realm realm, PersonReference person) {
    List<FederationView> found = new ArrayList<>();
    resources.get().federation().forEach(kind -> found.addAll(kind.ofPerson(realm.name(), person.id())));
    return found;
  }

  private Optional<SecondFactorView> factor(Realm realm, PersonReference person) {
    return resources.get().factors().stream().flatMap(factors -> factors.ofPerson(realm.name(), person.id()).stream()).findFirst();
  }

  private Map<String, List<Map<String, Object>>> stored(Realm realm, PersonReference person) {
    Map<String, List<Map<String, Object>>> stored = new TreeMap<>();
    resources
        .get()
        .data()
        .forEach(
            data ->
                data.ofPerson(realm.name(), person)
                    .forEach((kind, entries) -> stored.computeIfAbsent(kind, k -> new ArrayList<>()).addAll(entries)));
    return stored;
  }

  private static Stream<String> names(PersonReference person) {
    return Stream.of(person.id(), person.name()).distinct();
  }
}
