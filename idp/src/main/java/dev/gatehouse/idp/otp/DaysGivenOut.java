package dev.gatehouse.idp.otp;

import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tokens that agents may check without a node. Marks of their codes are kept as long as a use without a node may be reported, so that a
 * code that counted at a node as well is found. What was given out is itself told by marks, one for some days at a time.
 */
final class DaysGivenOut {

  /** Uses are reported within so long, or never; marks against a second report are kept as long. */
  static final Duration LATEST_REPORT = Duration.ofDays(60);

  /** A code is of a time step by so much before or after it is used, and clocks differ. */
  private static final Duration MARGIN = Duration.ofHours(1);

  /** A mark tells for all of these days that something was given out: the fewer, the more marks. */
  private static final long BUCKET_SECONDS = Duration.ofDays(8).toSeconds();

  private record Known(Realm realm, boolean isOn) {}

  private final CodeUses uses;
  private final InstantSource clock;

  /** By realm: a changed realm is another one. */
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  DaysGivenOut(CodeUses uses, InstantSource clock) {
    this.uses = uses;
    this.clock = clock;
  }

  /** Returns whether an agent of the realm may have days; where none may, nothing is asked or marked. */
  boolean isOn(Realm realm) {
    Optional<Known> before = Optional.ofNullable(known.get(realm.name())).filter(one -> one.realm() == realm);
    return before.orElseGet(() -> look(realm)).isOn();
  }

  private Known look(Realm realm) {
    Known now = new Known(realm, realm.parties().clients().stream().anyMatch(DaysGivenOut::hasDays));
    known.put(realm.name(), now);
    return now;
  }

  private static boolean hasDays(ClientConfig client) {
    return client.permissions().passcodes().filter(rights -> rights.offlineDays() > 0).isPresent();
  }

  /** Takes note, before codes of the token are given out, that they are until then. */
  void give(Realm realm, String serial, Instant until) {
    if (isOn(realm)) {
      long end = bucket(until);
      for (long bucket = bucket(clock.instant()); bucket <= end; bucket++) {
        uses.isNew(key(realm, serial, bucket), Instant.ofEpochSecond((bucket + 1) * BUCKET_SECONDS).plus(MARGIN));
      }
    }
  }

  /**
   * Returns how long the mark of a code is kept at least that counts now.
   *
   * @throws PasscodeStoreUnavailable if the store of marks cannot be asked: nothing is used up
   */
  Duration kept(Realm realm, Token token) {
    boolean isGiven =
        isOn(realm)
            && token.type().kind().hasClock()
            && PasscodeStoreUnavailable.reading(() -> uses.isMarked(key(realm, token.serial(), bucket(clock.instant()))));
    return isGiven ? LATEST_REPORT.plus(MARGIN) : Duration.ZERO;
  }

  private static long bucket(Instant at) {
    return Math.floorDiv(at.getEpochSecond(), BUCKET_SECONDS);
  }

  private static ReplayKey key(Realm realm, String serial, long bucket) {
    return new ReplayKey(realm.name(), "otp-offline-given", serial + " " + bucket);
  }
}
