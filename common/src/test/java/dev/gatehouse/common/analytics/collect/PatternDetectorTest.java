package dev.gatehouse.common.analytics.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.analytics.Pattern;
import dev.gatehouse.common.analytics.Pattern.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is noticed, and what is not. */
class PatternDetectorTest {

  private static final Instant START = TestTime.START;

  private final PatternDetector detector = new PatternDetector(0, Places.none());

  private static Map<String, String> login(String name, String address) {
    return Map.of("realm", "demo", "client", address, "name", name, "person", "id-" + name);
  }

  private void refused(int second, String name, String address) {
    detector.refused(START.plusSeconds(second), login(name, address));
  }

  private void loggedIn(int second, String name, String address) {
    detector.loggedIn(START.plusSeconds(second), login(name, address));
  }

  @Test
  void passwordsTriedForManyPeopleFromOneAddressAreOnePattern() {
    for (int i = 0; i < 9; i++) {
      refused(i, "person" + i, "198.51.100.7");
      refused(i, "person" + i, "198.51.100.7");
    }
    assertThat(detector.take()).isEmpty();
    for (int i = 9; i < 200; i++) {
      refused(i, "person" + i, "198.51.100.7");
    }
    Pattern found = detector.take().getFirst();
    assertThat(found.kind()).isEqualTo(Kind.ONE_ADDRESS_MANY_PEOPLE);
    assertThat(found.subject()).isEqualTo("198.51.100.7");
    assertThat(found.realm()).isEqualTo("demo");
    assertThat(found.count()).isEqualTo(50);
    assertThat(found.firstAt()).isEqualTo(START);
    assertThat(found.lastAt()).isEqualTo(START.plusSeconds(199));
    assertThat(found.evidence()).hasSize(11).allMatch(one -> one.address().equals("198.51.100.7") && !one.succeeded());
    refused(300, "person1", "198.51.100.7");
    assertThat(detector.take()).singleElement().satisfies(again -> assertThat(again.id()).isEqualTo(found.id()));
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
    assertThat(detector.take()).isEmpty();
  }

  @Test
  void peopleWhoMistypeAndThenLogInAreNoPattern() {
    for (int i = 0; i < 40; i++) {
      refused(2 * i, "person" + i, "203.0.113.1");
      loggedIn(2 * i + 1, "person" + i, "203.0.113.1");
    }
    assertThat(detector.take()).isEmpty();
  }

  @Test
  void failuresOverDaysAreNoPattern() {
    for (int i = 0; i < 100; i++) {
      refused(i * 600, "person" + i, "198.51.100.7");
    }
    assertThat(detector.take()).isEmpty();
  }

  @Test
  void addressesOfOneHouseholdWithIpv6CountAsOne() {
    for (int i = 0; i < 10; i++) {
      refused(i, "person" + i, "2001:db8:1:2::" + i);
    }
    assertThat(detector.take()).singleElement().satisfies(found -> assertThat(found.subject()).isEqualTo("2001:db8:1:2:0:0:0:0/64"));
  }

  @Test
  void onePersonFromManyNetworksIsAPatternAndATelephoneIsNone() {
    for (int i = 0; i < 30; i++) {
      loggedIn(i, "alice", "10.1." + i + ".1");
      loggedIn(i, "alice", List.of("10.1.0.1", "172.16.0.1", "2001:db8::1", "192.0.2.1").get(i % 4));
    }
    assertThat(detector.take()).isEmpty();
    loggedIn(40, "alice", "198.51.100.1");
    assertThat(detector.take()).singleElement().satisfies(found -> {
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
    assertThat(detector.take()).singleElement().satisfies(found -> {
      assertThat(found.kind()).isEqualTo(Kind.ONE_PERSON_MANY_ADDRESSES);
      assertThat(found.evidence()).noneMatch(Pattern.Evidence::succeeded);
    });
  }

  @Test
  void eventsWithoutAnAddressOrANameCountAsNothing() {
    for (int i = 0; i < 20; i++) {
      refused(i, "person" + i, "-");
      refused(i, "-", "192.0.2.1");
      detector.loggedIn(START, Map.of("client", "not an address"));
    }
    assertThat(detector.take()).isEmpty();
  }

  @Test
  void aDayHasAThousandPatternsAtMostAndEachDayItsOwn() {
    for (int i = 0; i < 1100; i++) {
      for (int j = 0; j < 10; j++) {
        refused(0, "person" + j + "-" + i, "10.0." + i / 250 + "." + i % 250);
      }
    }
    assertThat(detector.take()).hasSize(1000);
    for (int j = 0; j < 10; j++) {
      refused(86_400, "person" + j, "198.51.100.7");
    }
    assertThat(detector.take()).hasSize(1);
  }

  @Test
  void namesThatADatabaseWouldRefuseAreChanged() {
    for (int i = 0; i < 10; i++) {
      refused(i, "a\0\ud800" + "x".repeat(3000), "10." + i + ".0.1");
    }
    assertThat(detector.take()).singleElement().satisfies(found -> assertThat(found.subject()).startsWith("a ?xx").hasSize(200));
  }

  @Test
  void impossibleTravelNeedsPlacesThatAreFarApartAndLittleTime(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("city.mmdb");
    TestTime time = new TestTime();
    PlacesFile places =
        new PlacesFile().city(10, "Berlin", "DE", 52.5, 13.4).city(11, "Sydney", "AU", -33.9, 151.2).city(12, "Hamburg", "DE", 53.6, 10.0);
    places.write(file);
    try (GeoFile geo = new GeoFile(file, time)) {
      PatternDetector travels = new PatternDetector(0, geo);
      travels.loggedIn(START, login("alice", "10.0.0.1"));
      travels.loggedIn(START.plusSeconds(60), login("alice", "12.0.0.1"));
      travels.loggedIn(START.plusSeconds(60), login("bob", "11.0.0.1"));
      travels.loggedIn(START.plus(Duration.ofHours(30)), login("bob", "10.0.0.1"));
      travels.loggedIn(START.plusSeconds(90), login("alice", "192.0.2.1"));
      assertThat(travels.take()).isEmpty();
      travels.loggedIn(START.plus(Duration.ofHours(2)), login("alice", "11.0.0.1"));
      assertThat(travels.take()).singleElement().satisfies(found -> {
        assertThat(found.kind()).isEqualTo(Kind.IMPOSSIBLE_TRAVEL);
        assertThat(found.count()).isBetween(15_000L, 17_000L);
        assertThat(found.evidence()).extracting(one -> one.place().orElse("")).containsExactly("Hamburg, DE", "Sydney, AU");
      });
    }
  }

  @Test
  void aReplacedFileOfPlacesIsUsedAndABrokenOneIsNot(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("city.mmdb");
    TestTime time = new TestTime();
    try (GeoFile geo = new GeoFile(file, time)) {
      InetAddress address = InetAddress.ofLiteral("10.0.0.1");
      assertThat(geo.find(address)).isEmpty();
      new PlacesFile().city(10, "Berlin", "DE", 52.5, 13.4).write(file);
      time.advance(Duration.ofMinutes(1));
      assertThat(geo.find(address)).get().extracting(Places.Place::name).isEqualTo("Berlin, DE");
      assertThat(geo.find(InetAddress.ofLiteral("2001:db8::1"))).isEmpty();
      Path broken = Files.writeString(folder.resolve("broken"), "no such file");
      Files.setLastModifiedTime(broken, FileTime.from(START));
      Files.move(broken, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      time.advance(Duration.ofMinutes(1));
      assertThat(geo.find(address)).get().extracting(Places.Place::name).isEqualTo("Berlin, DE");
    }
  }
}
