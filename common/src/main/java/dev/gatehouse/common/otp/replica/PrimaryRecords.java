package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.Optional;

/** The record of the primary in the store that all servers use: whoever was the primary before learns there that it is not any more. */
public final class PrimaryRecords {

  /** The name of the store. */
  public static final String STORE = "otp-primary";

  /** The name of the store of how long servers may be isolated. */
  public static final String ISOLATED = "otp-isolated";

  private static final String KEY = "primary";
  private static final String CLAIM = "epoch ";

  /** A nomination that ended midway, and was not taken back, does not prevent others for longer. */
  private static final Duration CLAIMED = Duration.ofMinutes(10);

  /** How long a server may be isolated at most. */
  record Longest(long seconds) {}

  private final SingleUseStore<PrimaryRecord> store;
  private final SingleUseStore<Longest> isolated;
  private final InstantSource time;

  public PrimaryRecords(Stores stores, InstantSource time) {
    this.store = stores.ends().singleUse(STORE, new JsonCodec<>(PrimaryRecord.class));
    this.isolated = stores.ends().singleUse(ISOLATED, new JsonCodec<>(Longest.class));
    this.time = time;
  }

  /** Returns how long any of the servers may be isolated, one of which is this one. */
  public Duration longestIsolation(Duration own) {
    Optional<Longest> known = isolated.peek(KEY);
    if (known.filter(longest -> longest.seconds() >= own.toSeconds()).isPresent()) {
      return Duration.ofSeconds(known.get().seconds());
    }
    isolated.updateLater(
        KEY, found -> found.filter(longest -> longest.seconds() >= own.toSeconds()).orElseGet(() -> new Longest(own.toSeconds())), end());
    return own;
  }

  /** Returns the record; empty in a new store. */
  public Optional<PrimaryRecord> find() {
    return store.peek(KEY);
  }

  /**
   * Reserves an epoch, which counts for nobody before {@link #raise}: exactly one server gets it, and its claim is acknowledged by the
   * store as marks of codes are.
   *
   * @return the claim: another one if that server was first
   */
  public PrimaryRecord claim(PrimaryRecord next) {
    String key = CLAIM + next.epoch();
    try {
      store.put(key, next, time.instant().plus(CLAIMED));
    } catch (IllegalStateException e) {
      PrimaryRecord first = store.peek(key).orElseThrow(() -> e);
      return first;
    }
    return next;
  }

  /** Takes a claim back, if it is that one. */
  public void withdraw(PrimaryRecord next) {
    String key = CLAIM + next.epoch();
    if (store.peek(key).equals(Optional.of(next))) {
      store.discard(key);
    }
  }

  /** Writes the record unless one counts that has its epoch or a later one; returns the one that counts. */
  public PrimaryRecord raise(PrimaryRecord to) {
    store.updateLater(KEY, found -> found.filter(now -> !to.follows(now)).orElse(to), end());
    return find().orElse(to);
  }

  /** It is written again and again by the primary. */
  private Instant end() {
    return time.instant().atOffset(ZoneOffset.UTC).plus(Period.ofYears(10)).toInstant();
  }
}
