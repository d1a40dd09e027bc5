package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.NamePairs.AddResult;
import dev.gatehouse.common.directory.NamePairs.Kind;
import dev.gatehouse.common.directory.NamePairs.NewPair;
import dev.gatehouse.common.federation.AccountLinksContract;
import dev.gatehouse.common.federation.PersistentNameIdsContract;
import dev.gatehouse.common.store.Race;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Pairs in people's entries of a real slapd. */
class DirectoryNamePairsTest {

  private static final String ATTRIBUTE = "gatehouseFederation";
  private static final List<String> NAMES =
      List.of("eve", "person-0", "person-1", "person-2", "person-3", "person-4", "person-5", "person-6", "person-7",
          "person-8", "person-9");

  private Slapd slapd;

  private static String people() {
    StringBuilder more = new StringBuilder(TestPeople.LDIF);
    NAMES.forEach(name -> more.append(TestPeople.person("uid=" + name, name, name, "")));
    return more.toString();
  }

  /** A new directory for each test: connections of one node. */
  private LdapDirectory node;

  private final Map<String, PersonId> ids = new ConcurrentHashMap<>();

  @BeforeEach
  void startAnew() {
    slapd = Slapd.start(Slapd.FEDERATION, people());
    node = new LdapDirectory(TestPeople.config(slapd.port()));
    ids.clear();
  }

  @AfterEach
  void stop() {
    node.close();
    slapd.close();
  }

  private PersonId id(String name) {
    return ids.computeIfAbsent(
        name,
        n ->
            node.authenticate(n, Password.of("demo")) instanceof Authentication.Accepted(Person person)
                ? person.id()
                : new PersonId("nobody"));
  }

  /** Without the cache, which has its own test. */
  private static NamePairs pairs(LdapDirectory of, Kind kind) {
    return new DirectoryNamePairs(
        new FederationEntries(of.servers(), of.config(), ATTRIBUTE), kind, new TestTime());
  }

  @Nested
  class Given extends PersistentNameIdsContract {
    @Override
    protected NamePairs pairs() {
      return DirectoryNamePairsTest.pairs(node, Kind.GIVEN);
    }

    @Override
    protected PersonId person(String name) {
      return id(name);
    }
  }

  @Nested
  class Linked extends AccountLinksContract {
    @Override
    protected NamePairs pairs() {
      return DirectoryNamePairsTest.pairs(node, Kind.LINKED);
    }

    @Override
    protected PersonId person(String name) {
      return id(name);
    }
  }

  /** Two nodes do not share a lock: only the directory decides. */
  @Test
  void letsOneOfTwoNodesWin() throws Exception {
    try (LdapDirectory other = new LdapDirectory(TestPeople.config(slapd.port()))) {
      for (int round = 0; round < 20; round++) {
        String name = "contested-" + round;
        List<PersonId> people = NAMES.stream().map(this::id).toList();
        List<AddResult> all =
            Race.of(
                people.size(),
                i -> () -> pairs(i % 2 == 0 ? node : other, Kind.LINKED).add("demo", "idp", new NewPair(people.get(i), name)));
        assertThat(all).filteredOn(AddResult.Added.class::isInstance).as("round %d", round).hasSize(1);
        assertThat(all).filteredOn(AddResult.NameTaken.class::isInstance).hasSize(people.size() - 1);
        NamePair winner = pairs(node, Kind.LINKED).byName("demo", "idp", name).orElseThrow();
        assertThat(pairs(other, Kind.LINKED).remove("demo", "idp", name)).contains(winner);
      }
    }
  }

  @Test
  void keepsKindsApartInOneAttribute() {
    pairs(node, Kind.GIVEN).add("demo", "partner", new NewPair(id("alice"), "n"));
    assertThat(pairs(node, Kind.LINKED).byName("demo", "partner", "n")).isEmpty();
    assertThat(pairs(node, Kind.LINKED).add("demo", "partner", new NewPair(id("bob"), "n")))
        .isInstanceOf(AddResult.Added.class);
    assertThat(pairs(node, Kind.GIVEN).byName("demo", "partner", "n").map(NamePair::person)).contains(id("alice"));
  }

  @Test
  void countsForNobodyWhatTwoEntriesHold() throws Exception {
    pairs(node, Kind.LINKED).add("demo", "idp", new NewPair(id("alice"), "n"));
    try (LDAPConnection admin = new LDAPConnection("127.0.0.1", slapd.port(), Slapd.ADMIN, "admin")) {
      admin.modify(
          "uid=bob,ou=people," + TestPeople.BASE,
          new Modification(ModificationType.ADD, "objectClass", "gatehouseFederatedPerson"),
          new Modification(ModificationType.ADD, ATTRIBUTE, "linked|demo|idp|n"));
    }
    assertThat(pairs(node, Kind.LINKED).byName("demo", "idp", "n")).isEmpty();
  }

  @Test
  void linksMoreThanOneFilterHolds() {
    List<NewPair> newPairs = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      newPairs.add(new NewPair(id(NAMES.get(i % NAMES.size())), "n" + i % NAMES.size()));
    }
    newPairs.add(new NewPair(new PersonId("00000000-0000-0000-0000-000000000000"), "gone"));
    List<AddResult> all = pairs(node, Kind.LINKED).addAll("demo", "idp", newPairs);
    assertThat(all).hasSize(251);
    assertThat(all.subList(0, 250)).allMatch(AddResult.Added.class::isInstance);
    assertThat(all.getLast()).isEqualTo(new AddResult.Absent());
    assertThat(pairs(node, Kind.LINKED).page("demo", "idp", "", 100)).hasSize(NAMES.size());
  }

  @Test
  void saysThatTheRightToWriteIsMissing() {
    try (Slapd plain = Slapd.start(people());
        LdapDirectory directory = new LdapDirectory(TestPeople.config(plain.port()))) {
      Person alice = ((Authentication.Accepted) directory.authenticate("alice", Password.of("demo"))).person();
      assertThatThrownBy(() -> pairs(directory, Kind.LINKED).add("demo", "idp", new NewPair(alice.id(), "n")))
          .isInstanceOf(DirectoryUnavailable.class)
          .hasMessageContaining("insufficient access")
          .hasMessageContaining(TestPeople.SERVICE);
      assertThat(directory.isAvailable()).isTrue();
    }
  }

  @Test
  void saysThatTheSchemaIsMissing() {
    NamePairs unknown = node.namePairs(Kind.LINKED, "noSuchAttribute", new TestTime());
    assertThatThrownBy(() -> unknown.add("demo", "idp", new NewPair(id("alice"), "n")))
        .isInstanceOf(DirectoryUnavailable.class)
        .hasMessageContaining("gatehouse.schema");
  }
}
