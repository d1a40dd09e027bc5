package dev.gatehouse.idp.otp.visit;

import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.PersonSearch;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.throttle.LogThrottle;
import dev.gatehouse.common.throttle.LoginNames;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import dev.gatehouse.idp.otp.home.OurNames;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whose a person is. The suffix of a name decides; a name without one that nobody here has is sought at the realms that are {@code asked},
 * and where the person was let in is remembered. Our own people are nobody's visitors, whatever another realm says.
 */
final class Homes {

  private static final Logger LOG = LoggerFactory.getLogger(Homes.class);

  /** The name of the store. */
  static final String STORE = "idp-otp-homes";

  private static final Duration REMEMBERED = Duration.ofHours(12);

  /** Who decides about a person. */
  sealed interface Whose {
    /** This realm, also about a name that nobody has. */
    record Ours() implements Whose {}

    /** @param sought whether it was found by asking */
    record Visitors(TrustedRealm home, boolean sought) implements Whose {}

    /** Several realms know the name, so that it identifies nobody. */
    record Disputed(List<String> homes) implements Whose {}

    /** Not known: these realms were asked and did not answer, and any of them may be the home. */
    record Silent(List<String> homes) implements Whose {}
  }

  /** What is stored of a person who was found by asking. */
  record Remembered(String home) {}

  private final Directories directories;
  private final HomeSearch search;
  private final SealingKey sealing;
  private final SingleUseStore<Remembered> store;
  private final InstantSource clock;
  private final LogThrottle unstored = new LogThrottle();

  Homes(Directories directories, HomeSearch search, SealingKey sealing, SingleUseStore<Remembered> store, InstantSource clock) {
    this.directories = directories;
    this.search = search;
    this.sealing = sealing;
    this.store = store;
    this.clock = clock;
  }

  /**
   * Finds out.
   *
   * @throws PasscodeStoreUnavailable if the directory or the store cannot be asked
   */
  Whose of(Realm realm, OtpTrusts trusts, String typed, String visit) {
    if (typed.isBlank() || typed.length() > LoginNames.LONGEST) {
      return new Whose.Ours();
    }
    Optional<String> suffix = OurNames.suffix(typed);
    List<TrustedRealm> possible =
        trusts.realms().stream().filter(home -> suffix.map(home.suffixes()::contains).orElse(home.asked())).toList();
    if (possible.isEmpty() || suffix.filter(trusts.suffixes()::contains).isPresent()) {
      return new Whose.Ours();
    }
    try {
      if (has(realm, typed)) {
        return new Whose.Ours();
      }
      return suffix.isPresent() ? new Whose.Visitors(possible.getFirst(), false) : sought(realm, trusts, possible, typed, visit);
    } catch (DirectoryUnavailable | StoreUnavailable e) {
      throw new PasscodeStoreUnavailable(e);
    }
  }

  /**
   * Returns whether one of our people has a name that a home told.
   *
   * @throws PasscodeStoreUnavailable if the directory cannot be asked: the passcode has counted at the home
   */
  boolean isOurs(Realm realm, String name) {
    try {
      return has(realm, name);
    } catch (DirectoryUnavailable e) {
      throw PasscodeStoreUnavailable.midway(e);
    }
  }

  /** Also of people who are disabled: they are not sought elsewhere. */
  private boolean has(Realm realm, String name) {
    String attribute = realm.directory().orElseThrow().people().nameAttribute();
    return !(directories.of(realm).findBy(attribute, name) instanceof PersonSearch.None);
  }

  private Whose sought(Realm realm, OtpTrusts trusts, List<TrustedRealm> possible, String typed, String visit) {
    Optional<TrustedRealm> remembered =
        store.peek(key(realm, typed)).flatMap(known -> possible.stream().filter(home -> home.name().equals(known.home())).findFirst());
    if (remembered.isPresent()) {
      return new Whose.Visitors(remembered.get(), false);
    }
    HomeSearch.Found answers = search.whoKnows(realm, trusts, possible, typed, visit);
    if (!answers.silent().isEmpty()) {
      return new Whose.Silent(names(answers.silent()));
    }
    List<TrustedRealm> found = answers.known();
    return switch (found.size()) {
      case 0 -> new Whose.Ours();
      case 1 -> new Whose.Visitors(found.getFirst(), true);
      default -> new Whose.Disputed(names(found));
    };
  }

  private static List<String> names(List<TrustedRealm> homes) {
    return homes.stream().map(TrustedRealm::name).toList();
  }

  /** Remembers where a person was let in, so that nobody else is asked next time. The person is let in also if that cannot be stored. */
  void remember(Realm realm, String typed, TrustedRealm home) {
    try {
      store.replace(key(realm, typed), new Remembered(home.name()), clock.instant().plus(REMEMBERED));
    } catch (StoreUnavailable e) {
      unstored.count().ifPresent(
          times -> LOG.warn("The home of a visitor is not remembered: {} ({} times since the start)", e.getMessage(), times));
    }
  }

  private String key(Realm realm, String typed) {
    return sealing.digest(LoginNames.normal(typed), "otp-home", realm.name());
  }
}
