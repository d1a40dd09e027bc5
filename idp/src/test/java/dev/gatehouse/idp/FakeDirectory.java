package dev.gatehouse.idp;

import dev.gatehouse.common.directory.Authentication;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.NameOwner;
import dev.gatehouse.common.directory.Password;
import dev.gatehouse.common.directory.PasswordChange;
import dev.gatehouse.common.directory.PeopleSearch;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSearch;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** People in memory: alice (employee) and bob (employee, manager), password {@code demo}. */
final class FakeDirectory implements Directory {

  static final Person ALICE =
      person("a11ce", "alice", "Alice <Ängström> & Söhne", List.of("alice@example.com"), "employee");
  static final Person BOB = person("b0b", "bob", "Bob", List.of(), "employee", "manager");

  private final Map<String, Person> people = new ConcurrentHashMap<>();
  private final Map<String, String> passwords = new ConcurrentHashMap<>();
  private final Set<String> mustChange = ConcurrentHashMap.newKeySet();
  private final Set<String> locked = ConcurrentHashMap.newKeySet();
  private final Set<PersonId> disabled = ConcurrentHashMap.newKeySet();
  final AtomicInteger binds = new AtomicInteger();
  volatile boolean down;

  /** People of whom it does not answer, as if they were in another directory that is down. */
  volatile Set<String> silentAbout = Set.of();

  /** Whether it goes down only when a change of password has reached it. */
  volatile boolean isSent;

  FakeDirectory() {
    put(ALICE, "demo");
    put(BOB, "demo");
  }

  void put(Person person, String password) {
    people.put(person.name(), person);
    passwords.put(person.name(), password);
  }

  void remove(Person person) {
    people.remove(person.name());
  }

  void mustChange(String name) {
    mustChange.add(name);
  }

  /** Disables the account, which only logins without a password have to look at: a bind is refused by the directory itself. */
  void disable(Person person) {
    disabled.add(person.id());
  }

  void enable(Person person) {
    disabled.remove(person.id());
  }

  void lock(String name) {
    locked.add(name);
  }

  @Override
  public Authentication authenticate(String loginName, Password password) {
    if (down) {
      return new Authentication.Unavailable("the test took it down");
    }
    binds.incrementAndGet();
    String name = loginName.toLowerCase(Locale.ROOT);
    Person person = people.get(name);
    if (person == null) {
      return new Authentication.Refused(RefusedReason.UNKNOWN_NAME);
    }
    if (locked.contains(name)) {
      return new Authentication.Refused(RefusedReason.LOCKED);
    }
    if (!new String(password.utf8(), StandardCharsets.UTF_8).equals(passwords.get(name))) {
      return new Authentication.Refused(RefusedReason.WRONG_PASSWORD);
    }
    return mustChange.contains(name)
        ? new Authentication.MustChangePassword(person, true)
        : new Authentication.Accepted(person);
  }

  @Override
  public Optional<Person> find(PersonId id) {
    if (down) {
      throw new DirectoryUnavailable("the test took it down");
    }
    return people.values().stream().filter(person -> person.id().equals(id)).findFirst();
  }

  @Override
  public PersonSearch findEnabled(String attribute, String value) {
    return findBy(attribute, value) instanceof PersonSearch.One(Person person) && disabled.contains(person.id())
        ? new PersonSearch.None()
        : findBy(attribute, value);
  }

  @Override
  public PersonSearch findEnabledAlone(String attribute, String value) {
    return findEnabled(attribute, value) instanceof PersonSearch.One(Person p)
        ? new PersonSearch.One(new Person(p.id(), p.name(), p.dn(), p.attributes(), List.of(), Set.of()))
        : findEnabled(attribute, value);
  }

  @Override
  public Set<PersonId> existing(List<PersonId> asked) {
    return asked.stream().filter(id -> find(id).isPresent()).collect(Collectors.toSet());
  }

  @Override
  public Optional<Person> findEnabled(PersonId id) {
    return find(id).filter(person -> !disabled.contains(person.id()));
  }

  @Override
  public PersonSearch findBy(String attribute, String value) {
    if (down) {
      throw new DirectoryUnavailable("the test took it down");
    }
    List<Person> found =
        people.values().stream()
            .filter(person -> person.attributes().getOrDefault(attribute, List.of()).contains(value))
            .toList();
    return switch (found.size()) {
      case 0 -> new PersonSearch.None();
      case 1 -> new PersonSearch.One(found.getFirst());
      default -> new PersonSearch.Several();
    };
  }

  @Override
  public Map<String, NameOwner> owners(Collection<String> loginNames) {
    if (loginNames.stream().anyMatch(silentAbout::contains)) {
      throw new DirectoryUnavailable("the test took it down");
    }
    return loginNames.stream()
        .distinct()
        .collect(
            Collectors.toMap(
                name -> name,
                name ->
                    people.containsKey(name)
                        ? new NameOwner.One(people.get(name).id())
                        : new NameOwner.None()));
  }

  @Override
  public PeopleSearch.Outcome people(PeopleSearch.Query query, LongConsumer read) {
    if (down) {
      throw new DirectoryUnavailable("the test took it down");
    }
    return new PeopleSearch.Outcome.All(
        people.values().stream()
            .map(
                person ->
                    new PeopleSearch.Entry(
                        person.dn(), Optional.of(person.id()), Optional.of(person.name()), Optional.of(person.name()), Optional.empty(),
                        person.groups(), disabled.contains(person.id())))
            .toList());
  }

  @Override
  public Set<PersonId> present(PeopleSearch.Query query, List<PersonId> asked) {
    return asked.stream().filter(id -> find(id).isPresent()).collect(Collectors.toSet());
  }

  @Override
  public PasswordChange changePassword(String loginName, Password old, Password replacement) {
    if (down) {
      return new PasswordChange.Unavailable("the test took it down", isSent);
    }
    Person person = people.get(loginName);
    if (person == null || !new String(old.utf8(), StandardCharsets.UTF_8).equals(passwords.get(loginName))) {
      return new PasswordChange.Refused();
    }
    return set(person, replacement);
  }

  private PasswordChange set(Person person, Password replacement) {
    String text = new String(replacement.utf8(), StandardCharsets.UTF_8);
    if (text.length() < 4) {
      return new PasswordChange.NotGoodEnough(PasswordChange.Fault.TOO_SHORT, "Password fails quality checking policy");
    }
    passwords.put(person.name(), text);
    mustChange.remove(person.name());
    return new PasswordChange.Changed(person);
  }

  @Override
  public PasswordChange resetPassword(PersonId id, Password replacement) {
    if (down) {
      return new PasswordChange.Unavailable("the test took it down", isSent);
    }
    return find(id).map(person -> set(person, replacement)).orElseGet(PasswordChange.Refused::new);
  }

  @Override
  public boolean isAvailable() {
    return !down;
  }

  static Person person(String id, String name, String commonName, List<String> mail, String... roles) {
    return new Person(
        new PersonId(id),
        name,
        "uid=" + name + ",ou=people,dc=example,dc=org",
        Map.of("uid", List.of(name), "cn", List.of(commonName), "mail", mail),
        List.of(roles),
        Set.of(roles));
  }
}
