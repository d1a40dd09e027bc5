package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.directory.Authentication.Accepted;
import dev.gatehouse.common.directory.Authentication.Refused;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import dev.gatehouse.common.realm.DirectoryConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of every directory server with {@link TestPeople}. */
abstract class DirectoryContract {

  private TestDirectoryServer server;
  private LdapDirectory directory;

  abstract TestDirectoryServer start();

  @BeforeEach
  void open() {
    server = start();
    directory = new LdapDirectory(TestPeople.config(server.port()));
  }

  @AfterEach
  void close() {
    directory.close();
    server.close();
  }

  @Test
  void acceptsThePersonWithTheRightPassword() {
    Person bob = accepted("bob", "demo");
    assertThat(bob.name()).isEqualTo("bob");
    assertThat(bob.dn()).isEqualTo("uid=bob,ou=people,dc=example,dc=org");
    assertThat(bob.id().value()).matches("[0-9a-f-]{36}");
    assertThat(bob.attributes()).isEqualTo(Map.of("cn", List.of("Bob (Brown*)"), "mail", List.of("bob@example.org")));
    assertThat(bob.groups()).containsExactly("Employees", "managers");
    assertThat(bob.roles()).containsExactlyInAnyOrder("employee", "manager");
    assertThat(accepted("alice", "demo").attributes().get("mail"))
        .containsExactly("alice@example.org", "a.adams@example.org");
  }

  @Test
  void knowsWhoseManyNamesAre() {
    PersonId alice = accepted("alice", "demo").id();
    Map<String, NameOwner> owners =
        directory.owners(
            List.of("alice", " ALICE", "bob", "nobody", "twin", "*", ")(uid=*", "bob)(|(uid=*", "\\2a", "", "jörg"));
    assertThat(owners.get("alice")).isEqualTo(new NameOwner.One(alice));
    assertThat(owners.get(" ALICE")).isEqualTo(new NameOwner.One(alice));
    assertThat(owners.get("bob")).isInstanceOf(NameOwner.One.class).isNotEqualTo(owners.get("alice"));
    assertThat(owners.get("jörg")).isInstanceOf(NameOwner.One.class);
    assertThat(owners.get("twin")).isEqualTo(new NameOwner.Several());
    for (String nobody : List.of("nobody", "*", ")(uid=*", "bob)(|(uid=*", "\\2a", "")) {
      assertThat(owners.get(nobody)).as(nobody).isEqualTo(new NameOwner.None());
    }
  }

  @Test
  void asksOneByOneWhereTheFilterLooksAtMoreThanTheName() {
    DirectoryConfig byMailToo =
        TestPeople.withFilter(server.port(), "(&(objectClass=inetOrgPerson)(|(uid={name})(mail={name})))");
    try (LdapDirectory other = new LdapDirectory(byMailToo)) {
      Map<String, NameOwner> owners = other.owners(List.of("alice", "alice@example.org", "a.adams@example.org", "x"));
      assertThat(owners.get("alice")).isInstanceOf(NameOwner.One.class).isEqualTo(owners.get("alice@example.org"));
      assertThat(owners.get("a.adams@example.org")).isEqualTo(owners.get("alice"));
      assertThat(owners.get("x")).isEqualTo(new NameOwner.None());
    }
  }

  /** SECURITY-CASES 43. */
  @ParameterizedTest
  @ValueSource(strings = {"alice", "ALICE", "  Alice ", "aLiCe\t"})
  void everySpellingIsTheSamePerson(String spelling) {
    Person alice = accepted(spelling, "demo");
    assertThat(alice.name()).isEqualTo("alice");
    assertThat(alice.id()).isEqualTo(accepted("alice", "demo").id());
  }

  /** SECURITY-CASES 71. */
  @ParameterizedTest
  @ValueSource(strings = {"ａlice", "a\u00adlice", "al\u200bice", "ali\u0000ce"})
  void namesThatStringPreparationChangesAreNobodys(String spelling) {
    assertRefused(spelling, "demo", RefusedReason.UNKNOWN_NAME);
    assertThat(directory.owners(List.of("alice", spelling)).get(spelling)).isEqualTo(new NameOwner.None());
    assertThat(directory.findBy("uid", spelling)).isEqualTo(new PersonSearch.None());
    assertThat(directory.findBy("mail", "alice\uff20example.org")).isEqualTo(new PersonSearch.None());
  }

  @Test
  void namesOutsideAsciiWork() {
    assertThat(accepted("jörg", "demo").name()).isEqualTo("jörg");
    assertThat(accepted("jo\u0308rg", "demo").name()).isEqualTo("jörg");
  }

  @Test
  void wrongPasswordsAndUnknownNamesAreRefused() {
    assertRefused("alice", "Demo", RefusedReason.WRONG_PASSWORD);
    assertRefused("alice", "demo ", RefusedReason.WRONG_PASSWORD);
    assertRefused("nobody", "demo", RefusedReason.UNKNOWN_NAME);
    assertRefused("", "demo", RefusedReason.UNKNOWN_NAME);
    assertRefused("a".repeat(300), "demo", RefusedReason.UNKNOWN_NAME);
    assertRefused("twin", "demo", RefusedReason.AMBIGUOUS_NAME);
  }

  /** SECURITY-CASES 41. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "*", "al*", "alice)(uid=*", "alice)(|(uid=*", "*)(objectClass=*", "\\2a", "alice\\", "(alice)", "alice\u0000",
        "uid=alice,ou=people,dc=example,dc=org", "cn=gatehouse", "{dn}", "{name}", "alice,bob", "alice#", "a&b", "!alice", "alice\r\nx"
      })
  void namesAreLiteral(String injection) {
    if (dev.gatehouse.common.throttle.LoginNames.normal(injection).equals("alice")) {
      return;
    }
    assertRefused(injection, "demo", RefusedReason.UNKNOWN_NAME);
  }

  @Test
  void dnsWithSpecialCharactersFindTheirGroups() {
    assertThat(accepted("odd", "demo").groups()).containsExactly("managers");
  }

  /** SECURITY-CASES 42 and 46. */
  @Test
  void emptyAndHugePasswordsNeverReachTheDirectory() {
    server.stop();
    assertRefused("alice", "", RefusedReason.EMPTY_PASSWORD);
    assertRefused("alice", "x".repeat(1 << 20), RefusedReason.PASSWORD_TOO_LONG);
    assertRefused("alice", "ü".repeat(513), RefusedReason.PASSWORD_TOO_LONG);
  }

  @Test
  void findsPeopleByTheirId() {
    Person bob = accepted("bob", "demo");
    assertThat(directory.find(bob.id())).contains(bob);
    try (LdapDirectory other = new LdapDirectory(TestPeople.config(server.port()))) {
      assertThat(other.find(bob.id())).contains(bob);
      assertThat(other.find(new PersonId("*"))).isEmpty();
      assertThat(other.find(new PersonId("00000000-0000-0000-0000-000000000000"))).isEmpty();
    }
  }

  @Test
  void whomTheFilterLeavesOutIsNotFoundByIdEither() {
    Person alice = accepted("alice", "demo");
    Person bob = accepted("bob", "demo");
    for (String filter :
        List.of(
            "(&(uid={name})(!(mail=bob@example.org)))",
            "(&(|(uid={name})(mail={name}*))(mail=alice@example.org))",
            "(|(&(uid={name})(cn=Alice Adams))(&(mail={name})(sn=nobody)))")) {
      try (LdapDirectory narrow = new LdapDirectory(TestPeople.withFilter(server.port(), filter))) {
        assertThat(narrow.find(alice.id())).as(filter).isPresent();
        assertThat(narrow.find(bob.id())).as(filter).isEmpty();
      }
    }
    for (String filter : List.of("(uid={name})", "(|(uid={name})(mail=alice@example.org))", "(!(!(uid={name})))")) {
      try (LdapDirectory wide = new LdapDirectory(TestPeople.withFilter(server.port(), filter))) {
        assertThat(wide.find(bob.id())).as(filter).isPresent();
      }
    }
  }

  @Test
  void findsTheOnePersonWithAValue() {
    assertThat(directory.findBy("mail", "A.ADAMS@example.org"))
        .isInstanceOfSatisfying(PersonSearch.One.class, found -> assertThat(found.person().name()).isEqualTo("alice"));
    assertThat(directory.findBy("uid", "bob")).isInstanceOf(PersonSearch.One.class);
    assertThat(directory.findBy("mail", "nobody@example.org")).isEqualTo(new PersonSearch.None());
    assertThat(directory.findBy("objectClass", "inetOrgPerson")).isEqualTo(new PersonSearch.Several());
    for (String injection : List.of("*", "a*", "alice@example.org)(uid=*", "\\2a")) {
      assertThat(directory.findBy("mail", injection)).as(injection).isEqualTo(new PersonSearch.None());
    }
    try (LdapDirectory narrow = new LdapDirectory(TestPeople.withFilter(server.port(), "(&(uid={name})(!(mail=bob@*)))"))) {
      assertThat(narrow.findBy("mail", "alice@example.org")).isInstanceOf(PersonSearch.One.class);
      assertThat(narrow.findBy("mail", "bob@example.org")).isEqualTo(new PersonSearch.None());
    }
  }

  @Test
  void changesThePasswordProvingTheOldOne() {
    assertThat(change("alice", "wrong", "new-Secret-1")).isInstanceOf(PasswordChange.Refused.class);
    assertThat(change("nobody", "demo", "new-Secret-1")).isInstanceOf(PasswordChange.Refused.class);
    assertThat(change("alice", "", "new-Secret-1")).isInstanceOf(PasswordChange.Refused.class);
    assertThat(change("alice", "demo", "")).isInstanceOf(PasswordChange.NotGoodEnough.class);
    accepted("alice", "demo");
    assertThat(change("Alice", "demo", "new-Secret-1"))
        .isInstanceOfSatisfying(PasswordChange.Changed.class, c -> assertThat(c.person().name()).isEqualTo("alice"));
    assertRefused("alice", "demo", RefusedReason.WRONG_PASSWORD);
    accepted("alice", "new-Secret-1");
    accepted("bob", "demo");
  }

  @Test
  void searchesAreNeverMadeAsThePersonWhoLoggedInLast() {
    DirectoryConfig two = TestPeople.config(
        DirectoryConfig.Security.PLAIN_LOOPBACK, Optional.empty(), Optional.of(TestPeople.SERVICE), "service", 1, server.port());
    try (LdapDirectory narrow = new LdapDirectory(two)) {
      for (int i = 0; i < 5; i++) {
        assertThat(narrow.authenticate("alice", Password.of("demo"))).isInstanceOf(Accepted.class);
        assertThat(narrow.authenticate("bob", Password.of("wrong"))).isInstanceOf(Refused.class);
        assertThat(narrow.servers().all().getFirst().openConnections()).isEqualTo(1);
      }
    }
  }

  @Test
  void manyAtOnceShareTheConnections() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Authentication>> logins =
          IntStream.range(0, 300)
              .<Callable<Authentication>>mapToObj(
                  i -> () -> directory.authenticate(i % 2 == 0 ? "alice" : "bob", Password.of(i % 3 == 0 ? "no" : "demo")))
              .toList();
      int i = 0;
      for (var done : threads.invokeAll(logins)) {
        assertThat(done.get()).isInstanceOf(i++ % 3 == 0 ? Refused.class : Accepted.class);
      }
    }
    assertThat(directory.servers().all().getFirst().openConnections()).isBetween(1, 6);
  }

  @Test
  void worksAgainAfterARestartOfTheServer() {
    accepted("alice", "demo");
    server.stop();
    assertThat(directory.authenticate("alice", Password.of("demo"))).isInstanceOf(Authentication.Unavailable.class);
    server.restart();
    Eventually.holds(() -> directory.authenticate("alice", Password.of("demo")) instanceof Accepted);
    accepted("bob", "demo");
  }

  @Test
  void aShortRestartIsNotNoticed() {
    accepted("alice", "demo");
    server.stop();
    server.restart();
    // The probe of the beginning may have met the stopped server; there is no other one while the server is up.
    Eventually.holds(() -> directory.authenticate("alice", Password.of("demo")) instanceof Accepted);
    server.stop();
    server.restart();
    accepted("alice", "demo");
  }

  final LdapDirectory directory() {
    return directory;
  }

  final Person accepted(String name, String password) {
    Authentication result = directory.authenticate(name, Password.of(password));
    assertThat(result).isInstanceOf(Accepted.class);
    return ((Accepted) result).person();
  }

  final void assertRefused(String name, String password, RefusedReason reason) {
    assertThat(directory.authenticate(name, Password.of(password))).isEqualTo(new Refused(reason));
  }

  final PasswordChange change(String name, String old, String replacement) {
    return directory.changePassword(name, Password.of(old), Password.of(replacement));
  }
}
