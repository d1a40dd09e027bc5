package dev.gatehouse.sp;

import dev.gatehouse.common.db.SecondFactors;
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
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/** The service provider's own people with the password {@code local}, and their second factors. */
public final class TestPeople implements Directory, SecondFactors {

  public static final Person CAROL =
      new Person(
          new PersonId("uuid-carol"), "carol", "uid=carol", Map.of("mail", List.of("carol@one.example")),
          List.of("staff"), Set.of("librarian"));
  public static final Person DAVE =
      new Person(
          new PersonId("uuid-dave"), "dave", "uid=dave", Map.of("mail", List.of("dave@one.example")), List.of(),
          Set.of());

  private final Map<PersonId, Person> people = new ConcurrentHashMap<>();
  private final Map<PersonId, Factor> factors = new ConcurrentHashMap<>();
  private final Set<PersonId> disabled = ConcurrentHashMap.newKeySet();
  private final AtomicInteger binds = new AtomicInteger();
  private volatile boolean down;
  private volatile boolean passwordsExpired;
  private volatile Runnable meanwhile = () -> {};

  TestPeople() {
    put(CAROL);
    put(DAVE);
  }

  public void put(Person person) {
    people.put(person.id(), person);
  }

  public void remove(Person person) {
    people.remove(person.id());
  }

  /** Disables the account; the entry stays. */
  public void disable(Person person) {
    disabled.add(person.id());
  }

  public void breakDown() {
    down = true;
  }

  /** Each search takes as long as that. */
  public void meanwhile(Runnable then) {
    meanwhile = then;
  }

  public void expirePasswords() {
    passwordsExpired = true;
  }

  public void protect(Person person) {
    factors.put(person.id(), new Factor("f", "phone", 6, new byte[0], Instant.EPOCH, Optional.empty()));
  }

  public int binds() {
    return binds.get();
  }

  @Override
  public Authentication authenticate(String loginName, Password password) {
    binds.incrementAndGet();
    if (down) {
      return new Authentication.Unavailable("the test broke it");
    }
    boolean right = new String(password.utf8(), StandardCharsets.UTF_8).equals("local");
    return people.values().stream()
        .filter(person -> right && person.name().equalsIgnoreCase(loginName.strip()))
        .findFirst()
        .<Authentication>map(
            person ->
                passwordsExpired
                    ? new Authentication.MustChangePassword(person, true)
                    : new Authentication.Accepted(person))
        .orElseGet(() -> new Authentication.Refused(RefusedReason.WRONG_PASSWORD));
  }

  @Override
  public Optional<Person> find(PersonId id) {
    requireUp();
    return Optional.ofNullable(people.get(id));
  }

  @Override
  public PersonSearch findEnabled(String attribute, String value) {
    PersonSearch found = findBy(attribute, value);
    return found instanceof PersonSearch.One(Person person) && disabled.contains(person.id()) ? new PersonSearch.None() : found;
  }

  @Override
  public Optional<Person> findEnabled(PersonId id) {
    return find(id).filter(person -> !disabled.contains(person.id()));
  }

  @Override
  public PersonSearch findBy(String attribute, String value) {
    requireUp();
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

  private void requireUp() {
    meanwhile.run();
    if (down) {
      throw new DirectoryUnavailable("the test broke it");
    }
  }

  @Override
  public boolean isAvailable() {
    return !down;
  }

  @Override
  public List<Factor> of(String realm, PersonId person) {
    return Optional.ofNullable(factors.get(person)).stream().toList();
  }

  // Not used by the service provider.

  @Override
  public Map<String, NameOwner> owners(Collection<String> loginNames) {
    throw new UnsupportedOperationException();
  }

  @Override
  public PeopleSearch.Outcome people(PeopleSearch.Query query, LongConsumer read) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<PersonId> existing(List<PersonId> asked) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<PersonId> present(PeopleSearch.Query query, List<PersonId> asked) {
    throw new UnsupportedOperationException();
  }

  @Override
  public PasswordChange changePassword(String loginName, Password old, Password replacement) {
    throw new UnsupportedOperationException();
  }

  @Override
  public PasswordChange resetPassword(PersonId person, Password replacement) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void erase(String realm, PersonId person) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean add(String realm, PersonId person, Factor factor, int most) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean remove(String realm, PersonId person, String factor) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean removeAll(String realm, PersonId person) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int wrongCodes(String realm, PersonId person) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int countWrong(String realm, PersonId person) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean forgive(String realm, PersonId person, int most) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean accept(String realm, PersonId person, String factor, long step, Instant at) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void keepRecoveryCodes(String realm, PersonId person, Set<String> digests) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean takeRecoveryCode(String realm, PersonId person, String digest) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int recoveryCodesLeft(String realm, PersonId person) {
    throw new UnsupportedOperationException();
  }
}
