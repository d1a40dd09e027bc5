package dev.gatehouse.idp.otp;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.otp.Tokens.Owned;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Checks passcodes of realms: {@link #of} makes the check of one, by its configuration as it is now. */
public final class PasscodeChecks implements AutoCloseable {

  /** The name of the store. */
  public static final String STORE = "idp-otp-challenges";

  private static final Duration LIFE = Duration.ofMinutes(5);

  /** Of 10,000 PINs with four digits the former ones are a few: whoever needs more draws has no luck to be counted on. */
  private static final int DRAWS = 5;

  final Tokens tokens;
  final PinHashes pins;
  final Directories directories;
  final SealingKey sealing;
  final AuditLog audit;
  final InstantSource clock;
  final SingleUseStore<Challenge> challenges;
  final CodeUses uses;
  final DaysGivenOut given;
  final RandomGenerator random;

  public PasscodeChecks(
      Tokens tokens,
      PinHashes pins,
      Directories directories,
      SealingKey sealing,
      AuditLog audit,
      Stores stores,
      InstantSource clock,
      RandomGenerator random) {
    this.tokens = tokens;
    this.pins = pins;
    this.directories = directories;
    this.sealing = sealing;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
    this.uses = new CodeUses(tokens, tokens.marks(stores.replayCache()), clock);
    this.given = new DaysGivenOut(uses, clock);
    this.challenges = stores.singleUse(STORE, new JsonCodec<>(Challenge.class));
  }

  /** Returns the check of a realm; empty if the realm does not take tokens. */
  public Optional<PasscodeCheck> of(Realm realm) {
    return realm.idp().flatMap(idp -> idp.contracts().token()).map(rules -> new RealmPasscodes(realm, rules, this));
  }

  /** Returns whether the person has a token beside apps, whatever its state, and the realm takes tokens. */
  public boolean hasToken(Realm realm, PersonId person) {
    return rules(realm).isPresent()
        && tokens.of(realm.name(), person).stream().anyMatch(token -> token.type().kind() != TokenType.Kind.APP);
  }

  static Optional<TokenLogin> rules(Realm realm) {
    return realm.idp().flatMap(idp -> idp.contracts().token());
  }

  /** What is stored about the person; a lock that has passed leaves the person in next-code mode. */
  TokenHolder holder(String realm, TokenLogin rules, PersonId person, Instant now) {
    TokenHolder holder = tokens.holder(realm, person);
    if (holder.lockedUntil().filter(end -> !now.isBefore(end)).isEmpty()) {
      return holder;
    }
    tokens.endLock(realm, person, rules.nextCodeAfter(), now);
    return tokens.holder(realm, person);
  }

  /** As {@link #holder}, with the person's tokens as they are after uses that rows do not have yet. */
  Owned owned(String realm, TokenLogin rules, PersonId person, Instant now) {
    Owned owned = tokens.owned(realm, person);
    List<Token> current = owned.tokens().stream().map(token -> uses.current(realm, token)).toList();
    boolean isOver = owned.holder().lockedUntil().filter(end -> !now.isBefore(end)).isPresent();
    return new Owned(isOver ? holder(realm, rules, person, now) : owned.holder(), current);
  }

  /**
   * Makes a PIN that the rules allow, and none that the person has or had: with few digits some draws may be needed.
   *
   * @param source as that of {@link PinHashes#isKnown}
   */
  String createPin(String realm, TokenLogin.Pin rules, PersonId person, Optional<byte[]> sealedPins, String source) {
    String pin = PinPolicy.create(rules, random);
    for (int draw = 1; draw < DRAWS && pins.isKnown(realm, person, sealedPins, pin, source); draw++) {
      pin = PinPolicy.create(rules, random);
    }
    return pin;
  }

  String keep(Challenge challenge) {
    String key = SessionToken.create(random).value();
    challenges.put(key, challenge, clock.instant().plus(LIFE));
    return key;
  }

  /** Writes what rows do not have yet. */
  @Override
  public void close() {
    uses.write();
  }
}
