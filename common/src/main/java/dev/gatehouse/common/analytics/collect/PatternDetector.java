package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.analytics.Pattern.Evidence;
import dev.gatehouse.common.analytics.Pattern.Kind;
import dev.gatehouse.common.analytics.SeriesKey;
import dev.gatehouse.common.analytics.Pattern;
import dev.gatehouse.common.analytics.collect.Places.Place;
import dev.gatehouse.common.crypto.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices what is unusual about logins, in windows of an hour. For one thread. The windows are in memory and bounded: the least recently
 * used ones are forgotten.
 */
final class PatternDetector {

  /** Names whose logins failed from one network and never succeeded there. */
  static final int MANY_PEOPLE = 10;

  /** Wide networks of one person's logins: office, home and telephone are three. */
  static final int MANY_NETWORKS = 5;

  /** Wide networks from which one name was tried in vain. */
  static final int MANY_TRYING_NETWORKS = 10;

  /** Kilometres an hour; airliners fly slower. */
  static final double SPEED = 1000;

  /** Kilometres; files of places are wrong by less. */
  static final double FAR = 500;

  /** Strangers type what they like. */
  private static final int LONGEST_NAME = 200;

  private static final int LONGEST_REALM = 100;

  private static final int MOST_WINDOWS = 5000;
  private static final int MOST_OF_A_DAY = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(PatternDetector.class);

  private final int node;
  private final Places places;
  private final Map<String, LoginWindow> ofNetworks = new Recent<>();
  private final Map<String, LoginWindow> ofPeople = new Recent<>();
  private final Map<String, LoginWindow> ofNames = new Recent<>();
  private final Map<String, Seen> lastSeen = new Recent<>();
  private Map<String, Pattern> noticed = new LinkedHashMap<>();
  private final Map<String, Pattern> known = new Recent<>();
  private LocalDate today = LocalDate.EPOCH;
  private int ofToday;

  /** Where a person was last. */
  private record Seen(Evidence evidence, Place place) {}

  /** Forgets the least recently used. */
  private static final class Recent<T> extends LinkedHashMap<String, T> {
    private static final long serialVersionUID = 1;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
      return size() > MOST_WINDOWS;
    }
  }

  PatternDetector(int node, Places places) {
    this.node = node;
    this.places = places;
  }

  /** Takes the event of a login. */
  void loggedIn(Instant at, Map<String, String> event) {
    Optional<Network> network = Network.of(event.getOrDefault("client", ""));
    if (network.isEmpty()) {
      return;
    }
    String realm = SeriesKey.storable(event.getOrDefault("realm", "-"), LONGEST_REALM);
    String name = name(event);
    Optional<Place> place = places.find(network.get().address());
    Evidence evidence = evidence(at, network.get(), name, true, place);
    window(ofNetworks, realm, network.get().narrow()).excuse(evidence);
    String person = event.getOrDefault("person", name);
    LoginWindow networks = window(ofPeople, realm, person);
    networks.count(evidence, network.get().wide());
    if (networks.counted() >= MANY_NETWORKS) {
      notice(Kind.ONE_PERSON_MANY_ADDRESSES, realm, name, evidence, networks);
    }
    place.ifPresent(here -> travelled(realm, person, name, new Seen(evidence, here)));
  }

  /** Takes the event of a login that failed. */
  void refused(Instant at, Map<String, String> event) {
    Optional<Network> network = Network.of(event.getOrDefault("client", ""));
    String name = name(event);
    if (network.isEmpty() || name.equals("-")) {
      return;
    }
    String realm = SeriesKey.storable(event.getOrDefault("realm", "-"), LONGEST_REALM);
    Evidence evidence = evidence(at, network.get(), name, false, places.find(network.get().address()));
    LoginWindow people = window(ofNetworks, realm, network.get().narrow());
    people.count(evidence, name);
    // Behind the address of an office many people mistype, but they log in there at last, as their colleagues do.
    if (people.counted() >= MANY_PEOPLE && people.counted() > people.excused()) {
      notice(Kind.ONE_ADDRESS_MANY_PEOPLE, realm, network.get().narrow(), evidence, people);
    }
    LoginWindow networks = window(ofNames, realm, name);
    networks.count(evidence, network.get().wide());
    if (networks.counted() >= MANY_TRYING_NETWORKS) {
      notice(Kind.ONE_PERSON_MANY_ADDRESSES, realm, name, evidence, networks);
    }
  }

  private static String name(Map<String, String> event) {
    return SeriesKey.storable(event.getOrDefault("name", "-"), LONGEST_NAME);
  }

  private static Evidence evidence(Instant at, Network network, String name, boolean succeeded, Optional<Place> place) {
    return new Evidence(at, network.address().getHostAddress(), name, succeeded, place.map(Place::name));
  }

  private static LoginWindow window(Map<String, LoginWindow> windows, String realm, String key) {
    return windows.computeIfAbsent(realm + ' ' + key, begun -> new LoginWindow());
  }

  private void travelled(String realm, String person, String name, Seen now) {
    Seen before = lastSeen.put(realm + ' ' + person, now);
    if (before == null) {
      return;
    }
    double distance = before.place().distance(now.place());
    // Events of several threads, and of a clock that was set back, may be in another order.
    double hours = Duration.between(before.evidence().at(), now.evidence().at()).abs().toMillis() / 3_600_000.0;
    if (distance > FAR && distance > hours * SPEED) {
      notice(Kind.IMPOSSIBLE_TRAVEL, realm, name, Math.round(distance), List.of(before.evidence(), now.evidence()));
    }
  }

  private void notice(Kind kind, String realm, String subject, Evidence last, LoginWindow window) {
    List<Evidence> evidence = new ArrayList<>(window.evidence());
    if (!evidence.contains(last)) {
      evidence.add(last);
    }
    notice(kind, realm, subject, window.counted(), evidence);
  }

  private void notice(Kind kind, String realm, String subject, long count, List<Evidence> evidence) {
    Instant last = evidence.getLast().at();
    String id = id(kind, realm, subject, last);
    Pattern before = known.get(id);
    if (before == null && !mayNotice(last)) {
      return;
    }
    Instant first = before == null ? evidence.getFirst().at() : before.firstAt();
    long most = before == null ? count : Math.max(before.count(), count);
    Pattern pattern = new Pattern(id, kind, realm, subject, node, first, last, most, List.copyOf(evidence));
    known.put(id, pattern);
    noticed.put(id, pattern);
  }

  /** Somebody with many addresses could fill the database with patterns. */
  private boolean mayNotice(Instant at) {
    LocalDate day = LocalDate.ofInstant(at, ZoneOffset.UTC);
    if (!day.equals(today)) {
      today = day;
      ofToday = 0;
    }
    ofToday++;
    if (ofToday == MOST_OF_A_DAY) {
      LOG.warn("{} unusual patterns of logins were noticed on {}; further ones of that day are not kept", MOST_OF_A_DAY, day);
    }
    return ofToday <= MOST_OF_A_DAY;
  }

  private String id(Kind kind, String realm, String subject, Instant at) {
    String all = String.join("\n", kind.name(), realm, subject, at.atOffset(ZoneOffset.UTC).toLocalDate().toString(), String.valueOf(node));
    return HexFormat.of().formatHex(Sha256.of(all));
  }

  /** Returns the patterns that were noticed or grew since the last call. */
  List<Pattern> take() {
    List<Pattern> taken = List.copyOf(noticed.values());
    noticed = new LinkedHashMap<>();
    return taken;
  }
}
