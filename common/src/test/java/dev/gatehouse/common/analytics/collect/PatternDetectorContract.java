package dev.gatehouse.common.analytics.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.analytics.Batch;
import dev.gatehouse.common.analytics.Pattern;
import dev.gatehouse.common.analytics.Pattern.Kind;
import dev.gatehouse.common.analytics.PatternStore;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcPatterns;
import dev.gatehouse.common.db.JdbcRollups;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is noticed, and what is not, on every kind of database. */
public abstract class PatternDetectorContract {

  private static final Instant START = TestTime.START;

  private final Map<Integer, PendingLogins> nodes = new HashMap<>();
  private final Map<Integer, Long> batches = new HashMap<>();
  private Instant now = START;
  private PatternStore store;

  protected abstract Database database();

  @BeforeEach
  void begin() {
    JdbcClient sql = JdbcClient.create(database().dataSource());
    List.of("analytics_amount", "analytics_progress", "analytics_pattern", "recent_login")
        .forEach(table -> sql.sql("delete from " + table).update());
    store = new JdbcPatterns(database());
  }

  private static Map<String, String> login(String name, String address) {
    return Map.of("realm", "demo", "client", address, "name", name, "person", "id-" + name);
  }

  private PendingLogins of(int node) {
    return nodes.computeIfAbsent(node, begun -> new PendingLogins());
  }

  private Instant at(int second) {
    Instant at = START.plusSeconds(second);
    now = at.isAfter(now) ? at : now;
    return at;
  }

  private void refused(int second, String name, String address) {
    of(0).refused(at(second), login(name, address));
  }

  private void loggedIn(int second, String name, String address) {
    of(0).loggedIn(at(second), login(name, address));
  }

  private List<Pattern> found() {
    return found(0, Places.none());
  }

  /** Stores what waits, and looks at it as a process does that has just started. */
  private List<Pattern> found(int node, Places places) {
    JdbcRollups sums = new JdbcRollups(database());
    long before = batches.merge(node, 1L, Long::sum) - 1;
    if (before == 0) {
      sums.begin(node, 0);
    }
    sums.add(node, new Batch(before + 1, 0, Map.of(), of(node).take()));
    new PatternDetector(store, places).look(new PatternStore.Batches(node, before, before + 1), now);
    return store.patterns(Optional.empty(), Instant.EPOCH, START.plus(Duration.ofDays(100)), 5000);
  }

  @Test
  void passwordsTriedForManyPeopleFromOneAddressAreOnePattern() {
    for (int i = 0; i < 9; i++) {
      refused(i, "person" + i, "198.51.100.7");
      refused(i, "person" + i, "198.51.100.7");
    }
    assertThat(found()).isEmpty();
    for (int i = 9; i < 200; i++) {
      refused(i, "person" + i, "198.51.100.7");
      if (i % 40 == 0) {
        found();
      }
    }
    Pattern found = found().getFirst();
    assertThat(found.kind()).isEqualTo(Kind.ONE_ADDRESS_MANY_PEOPLE);
    assertThat(found.subject()).isEqualTo("198.51.100.7");
    assertThat(found.realm()).isEqualTo("demo");
    assertThat(found.count()).isEqualTo(200);
    assertThat(found.firstAt()).isEqualTo(START);
    assertThat(found.lastAt()).isEqualTo(START.plusSeconds(199));
    assertThat(found.evidence()).hasSize(11).allMatch(one -> one.address().equals("198.51.100.7") && !one.succeeded());
    refused(300, "person1", "198.51.100.7");
    assertThat(found()).singleElement().satisfies(again -> assertThat(again.id()).isEqualTo(found.id()));
  }

  @Test
  void anOfficeBehindOneAddressIsNoPattern() {
    for (int i = 0; i < 300; i++) {
      if (i % 5 == 0) {
        refused(i, "person" + i, "203.0.113.1");
      }
      // Some have forgotten their password.
      if (i % 20 != 0) {
        loggedIn(i, "person" + i, "203.0.113.1");
      }
    }
    assertThat(found()).isEmpty();
  }

  @Test
  void peopleWhoMistypeAndThenLogInAreNoPattern() {
    for (int i = 0; i < 40; i++) {
      refused(2 * i, "person" + i, "203.0.113.1");
      loggedIn(2 * i + 1, "person" + i, "203.0.113.1");
    }
    assertThat(found()).isEmpty();
  }

  @Test
  void failuresOverDaysAreNoPattern() {
    for (int i = 0; i < 100; i++) {
      refused(i * 600, "person" + i, "198.51.100.7");
    }
    assertThat(found()).isEmpty();
  }

  @Test
  void addressesOfOneHouseholdWithIpv6CountAsOne() {
    for (int i = 0; i < 10; i++) {
      refused(i, "person" + i, "2001:db8:1:2::" + i);
    }
    assertThat(found()).singleElement().satisfies(found -> assertThat(found.subject()).isEqualTo("2001:db8:1:2:0:0:0:0/64"));
  }

  @Test
  void onePersonFromManyNetworksIsAPatternAndATelephoneIsNone() {
    for (int i = 0; i < 30; i++) {
      loggedIn(i, "alice", "10.1." + i + ".1");
      loggedIn(i, "alice", List.of("10.1.0.1", "172.16.0.1", "2001:db8::1", "192.0.2.1").get(i % 4));
    }
    assertThat(found()).isEmpty();
    loggedIn(40, "alice", "198.51.100.1");
    assertThat(found()).singleElement().satisfies(found -> {
      assertThat(found.kind()).isEqualTo(Kind.ONE_PERSON_MANY_ADDRESSES);
      assertThat(found.subject()).isEqualTo("alice");
      assertThat(found.count()).isEqualTo(5);
    });
  }

  @Test
  void oneNameTriedFromManyNetworksIsAPattern() {
    for (int i = 0; i < 10; i++) {
      refused(i, "alice", "10." + i + ".0.1");
    }
    assertThat(found()).singleElement().satisfies(found -> {
      assertThat(found.kind()).isEqualTo(Kind.ONE_PERSON_MANY_ADDRESSES);
      assertThat(found.evidence()).noneMatch(Pattern.Evidence::succeeded);
    });
  }

  @Test
  void eventsWithoutAnAddressOrANameCountAsNothing() {
    for (int i = 0; i < 20; i++) {
      refused(i, "person" + i, "-");
      refused(i, "-", "192.0.2.1");
      of(0).loggedIn(START, Map.of("client", "not an address"));
    }
    assertThat(found()).isEmpty();
  }

  @Test
  void aDayHasSoManyPatternsAtMostAndEachDayItsOwn() {
    Pattern first = spray("a", START);
    assertThat(store.keep(first, 2)).isTrue();
    assertThat(store.keep(spray("b", START), 2)).isTrue();
    assertThat(store.keep(spray("c", START), 2)).isFalse();
    assertThat(store.keep(first, 2)).as("known ones go on").isTrue();
    assertThat(store.keep(spray("d", START.plus(Duration.ofDays(1))), 2)).isTrue();
    assertThat(store.patterns(Optional.of("demo"), Instant.EPOCH, START.plus(Duration.ofDays(9)), 9)).hasSize(3);
    store.dropPatterns(START.plusSeconds(1));
    assertThat(store.patterns(Optional.of("demo"), Instant.EPOCH, START.plus(Duration.ofDays(9)), 9)).hasSize(1);
  }

  private static Pattern spray(String id, Instant at) {
    return new Pattern(id, Kind.ONE_ADDRESS_MANY_PEOPLE, "demo", "192.0.2.1", 0, at, at, 10, List.of());
  }

  @Test
  void whatIsSpreadOverNodesIsOnePattern() {
    for (int i = 0; i < 12; i++) {
      of(i % 3).refused(at(i), login("person" + i, "198.51.100.7"));
    }
    assertThat(found(0, Places.none())).isEmpty();
    assertThat(found(1, Places.none())).isEmpty();
    assertThat(found(2, Places.none())).singleElement().satisfies(found -> {
      assertThat(found.count()).isEqualTo(12);
      assertThat(found.node()).isEqualTo(2);
    });
    of(1).refused(at(60), login("another", "198.51.100.7"));
    assertThat(found(1, Places.none())).singleElement().satisfies(found -> {
      assertThat(found.count()).isEqualTo(13);
      assertThat(found.node()).as("that noticed it first").isEqualTo(2);
      assertThat(found.lastAt()).isEqualTo(START.plusSeconds(60));
    });
  }

  @Test
  void anErasedPersonIsInNoPatternAndIsNotFoundAgain() {
    for (int i = 0; i < 11; i++) {
      refused(i, "person" + i, "198.51.100.7");
      refused(i, "Alice", "10." + i + ".0.1");
    }
    refused(20, "ALICE", "198.51.100.7");
    loggedIn(21, "alice", "192.0.2.1");
    of(0).loggedIn(
        at(21), Map.of("realm", "demo", "client", "192.0.2.1", "name", "al@example.com", "person", "id-alice"));
    assertThat(found()).hasSize(2);
    PatternStore.Erased alice = new PatternStore.Erased("demo", "id-alice", "alice");
    assertThat(store.ofPerson(alice).logins()).hasSize(14);
    assertThat(store.erase(new PatternStore.Erased("other", "id-alice", "alice")).logins()).isEmpty();
    assertThat(store.erase(alice).patterns()).extracting(Pattern::kind).containsExactly(Kind.ONE_PERSON_MANY_ADDRESSES);
    refused(30, "bob", "198.51.100.7");
    assertThat(found()).singleElement().satisfies(found -> {
      assertThat(found.kind()).isEqualTo(Kind.ONE_ADDRESS_MANY_PEOPLE);
      assertThat(found.evidence()).hasSize(11).noneMatch(event -> event.name().equalsIgnoreCase("alice"));
    });
    assertThat(store.erase(alice)).isEqualTo(new PatternStore.OfPerson(List.of(), List.of()));
  }

  @Test
  void aPersonErasedBeforeThePatternIsStoredIsNotStored() {
    refused(1, "alice", "198.51.100.7");
    loggedIn(1, "alice", "198.51.100.7");
    refused(1, "bob", "198.51.100.7");
    of(0).forget(new PatternStore.Erased("demo", "id-alice", "alice"));
    assertThat(of(0).take()).singleElement().satisfies(login -> assertThat(login.name()).isEqualTo("bob"));
  }

  @Test
  void oldLoginsAreRemovedAndManyAreNotKept() {
    for (int i = 0; i < 3000; i++) {
      refused(i / 1000, "person" + i, "2001:db8:" + Integer.toHexString(i) + "::1");
    }
    loggedIn(0, "alice", "192.0.2.1");
    loggedIn(5000, "bob", "192.0.2.1");
    found();
    assertThat(stored()).isEqualTo(PendingLogins.MOST + 2);
    store.keepLatestLogins(0, 100);
    assertThat(stored()).as("the latest of the node").isLessThanOrEqualTo(100);
    store.dropLogins(START.plusSeconds(10), START.plusSeconds(10));
    assertThat(stored()).isEqualTo(1);
  }

  private int stored() {
    return JdbcClient.create(database().dataSource()).sql("select count(*) from recent_login").query(Integer.class).single();
  }

  @Test
  void namesThatADatabaseWouldRefuseAreChanged() {
    for (int i = 0; i < 10; i++) {
      refused(i, "a\0\ud800" + "x".repeat(3000), "10." + i + ".0.1");
    }
    assertThat(found()).singleElement().satisfies(found -> assertThat(found.subject()).startsWith("a ?xx").hasSize(200));
  }

  @Test
  void impossibleTravelNeedsPlacesThatAreFarApartAndLittleTime(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("city.mmdb");
    TestTime time = new TestTime();
    PlacesFile places =
        new PlacesFile().city(10, "Berlin", "DE", 52.5, 13.4).city(11, "Sydney", "AU", -33.9, 151.2).city(12, "Hamburg", "DE", 53.6, 10.0);
    places.write(file);
    try (GeoFile geo = new GeoFile(file, time)) {
      loggedIn(0, "alice", "10.0.0.1");
      loggedIn(60, "alice", "12.0.0.1");
      loggedIn(60, "bob", "11.0.0.1");
      loggedIn(90, "alice", "192.0.2.1");
      assertThat(found(0, geo)).isEmpty();
      of(1).loggedIn(at(7200), login("alice", "11.0.0.1"));
      assertThat(found(1, geo)).singleElement().satisfies(found -> {
        assertThat(found.kind()).isEqualTo(Kind.IMPOSSIBLE_TRAVEL);
        assertThat(found.count()).isBetween(15_000L, 17_000L);
        assertThat(found.evidence()).extracting(one -> one.place().orElse("")).containsExactly("Hamburg, DE", "Sydney, AU");
      });
      loggedIn(20 * 3600, "bob", "10.0.0.1");
      assertThat(found(0, geo)).as("an airliner").hasSize(1);
    }
  }
}
