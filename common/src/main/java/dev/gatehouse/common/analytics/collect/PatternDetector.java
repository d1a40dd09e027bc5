package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.analytics.Pattern;
import dev.gatehouse.common.analytics.Pattern.Evidence;
import dev.gatehouse.common.analytics.Pattern.Kind;
import dev.gatehouse.common.analytics.PatternStore;
import dev.gatehouse.common.analytics.PatternStore.Batches;
import dev.gatehouse.common.analytics.PatternStore.Suspect;
import dev.gatehouse.common.analytics.RecentLogin;
import dev.gatehouse.common.analytics.collect.Places.Place;
import dev.gatehouse.common.crypto.Sha256;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices what is unusual about logins within an hour, of all nodes that share the database. It has no state: it asks the store about the
 * networks, people and names of the last batches, so that a restart forgets nothing, and what was erased is not found again.
 */
final class PatternDetector {

  /** In which logins belong together. */
  static final Duration WINDOW = Duration.ofHours(1);

  /** How long ago a person may have been far away. */
  static final Duration JOURNEY = Duration.ofDays(1);

  /** Names whose logins failed from one network and never succeeded there. */
  static final int MANY_PEOPLE = 10;

  /** Providers of one person's logins: office, home and telephone are three. */
  static final int MANY_PROVIDERS = 5;

  /** Providers from which one name was tried in vain. */
  static final int MANY_TRYING_PROVIDERS = 10;

  /** Kilometres an hour; airliners fly slower. */
  static final double SPEED = 1000;

  /** Kilometres; files of places are wrong by less. */
  static final double FAR = 500;

  /** The first events of different values that are kept as evidence. */
  private static final int EVIDENCE = 10;

  private static final int MOST_OF_DAY = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(PatternDetector.class);

  private final PatternStore store;
  private final Places places;
  private LocalDate full = LocalDate.EPOCH;

  /** Where a person was. */
  private record Stay(RecentLogin login, Place place) {
    boolean isOfSamePerson(RecentLogin other) {
      return login.realm().equals(other.realm()) && login.subject().equals(other.subject());
    }
  }

  PatternDetector(PatternStore store, Places places) {
    this.store = store;
    this.places = places;
  }

  /** Returns how long logins that succeeded are needed. */
  Duration successesNeeded() {
    return places.areKnown() ? JOURNEY : WINDOW;
  }

  /** Looks for patterns to which the logins of these batches belong; may be repeated. */
  void look(Batches added, Instant now) {
    Instant since = now.minus(WINDOW);
    for (Suspect network : store.networksOfManyPeople(added, since, MANY_PEOPLE)) {
      notice(added.node(), Kind.ONE_ADDRESS_MANY_PEOPLE, network, store.failuresAt(network, since), RecentLogin::name);
    }
    for (boolean succeeded : List.of(true, false)) {
      for (Suspect subject : store.subjectsOfManyProviders(added, succeeded, since, succeeded ? MANY_PROVIDERS : MANY_TRYING_PROVIDERS)) {
        notice(
            added.node(), Kind.ONE_PERSON_MANY_ADDRESSES, subject, store.loginsOf(subject, succeeded, since), RecentLogin::provider);
      }
    }
    if (places.areKnown()) {
      lookForTravel(added, now);
    }
  }

  /** @param value what is different in the logins */
  private void notice(int node, Kind kind, Suspect suspect, List<RecentLogin> logins, Function<RecentLogin, String> value) {
    if (logins.isEmpty()) {
      // Erased in this moment.
      return;
    }
    Set<String> values = new HashSet<>();
    List<RecentLogin> shown = new ArrayList<>();
    for (RecentLogin login : logins) {
      if (values.add(value.apply(login)) && shown.size() < EVIDENCE) {
        shown.add(login);
      }
    }
    if (!shown.contains(logins.getLast())) {
      shown.add(logins.getLast());
    }
    String subject = kind == Kind.ONE_ADDRESS_MANY_PEOPLE ? suspect.subject() : logins.getLast().name();
    notice(node, kind, subject, suspect.count(), shown);
  }

  private void lookForTravel(Batches added, Instant now) {
    Optional<Stay> before = Optional.empty();
    for (RecentLogin login : store.loginsOfPeople(added, now.minus(JOURNEY))) {
      Optional<Stay> stay = place(login).map(place -> new Stay(login, place));
      if (stay.isPresent()) {
        before.filter(last -> last.isOfSamePerson(login)).ifPresent(last -> travelled(added.node(), last, stay.get()));
        before = stay;
      }
    }
  }

  private void travelled(int node, Stay before, Stay now) {
    double distance = before.place().distance(now.place());
    double hours = Duration.between(before.login().at(), now.login().at()).toMillis() / 3_600_000.0;
    if (distance > FAR && distance > hours * SPEED) {
      notice(node, Kind.IMPOSSIBLE_TRAVEL, now.login().name(), Math.round(distance), List.of(before.login(), now.login()));
    }
  }

  private Optional<Place> place(RecentLogin login) {
    return places.find(InetAddress.ofLiteral(login.address()));
  }

  private void notice(int node, Kind kind, String subject, long count, List<RecentLogin> logins) {
    String realm = logins.getFirst().realm();
    Instant last = logins.getLast().at();
    List<Evidence> evidence = logins.stream().map(this::evidence).toList();
    String id = id(kind, realm, subject, last);
    Pattern pattern = new Pattern(id, kind, realm, subject, node, logins.getFirst().at(), last, count, evidence);
    if (!store.keep(pattern, MOST_OF_DAY)) {
      warn(last);
    }
  }

  /** Somebody with many addresses could fill the database with patterns. */
  private void warn(Instant at) {
    LocalDate day = LocalDate.ofInstant(at, ZoneOffset.UTC);
    if (!day.equals(full)) {
      full = day;
      LOG.warn("{} unusual patterns of logins were noticed on {}; further ones of that day are not kept", MOST_OF_DAY, day);
    }
  }

  private Evidence evidence(RecentLogin login) {
    return new Evidence(login.at(), login.address(), login.name(), login.succeeded(), place(login).map(Place::name));
  }

  /** The same on each node, so that nodes that notice it keep it once. */
  private static String id(Kind kind, String realm, String subject, Instant at) {
    String all = String.join("\n", kind.name(), realm, subject, at.atOffset(ZoneOffset.UTC).toLocalDate().toString());
    return HexFormat.of().formatHex(Sha256.of(all));
  }
}
