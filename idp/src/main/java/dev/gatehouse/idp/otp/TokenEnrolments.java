package dev.gatehouse.idp.otp;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.totp.QrPicture;
import dev.gatehouse.idp.totp.TotpSecret;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** Software tokens that people set up themselves: shows a seed, and stores it after a code of it was typed, with a PIN if there is none. */
public final class TokenEnrolments {

  /** The name of the store. */
  public static final String STORE = "idp-otp-enrolments";

  /** The beginning of serial numbers of these tokens: their people may remove them. */
  static final String PREFIX = "app-";

  private static final Duration LIFE = Duration.ofMinutes(15);
  private static final int SERIAL_LENGTH = 8;
  private static final String LETTERS = "abcdefghjkmnpqrstuvwxyz023456789";

  /**
   * The content of the page.
   *
   * @param uri the content of the picture as a link, because a phone cannot scan its own screen
   * @param text the seed for typing
   * @param account the name that the app shows
   * @param needsPin whether the person has no PIN yet
   */
  public record Offer(QrPicture picture, String uri, String text, String account, boolean needsPin) {
    @Override
    public String toString() {
      return "***";
    }
  }

  /** What the person typed: a code, and a PIN twice if there is none. */
  public record Typed(String code, String pin, String again) {
    @Override
    public String toString() {
      return "***";
    }
  }

  /** The result of a code. */
  public enum Outcome {
    DONE,
    WRONG_CODE,
    PIN_NOT_ALLOWED,
    PINS_DIFFER,
    /** The enrolment expired, was completed, or belongs to another person or browser; or it came too late for a first token. */
    GONE
  }

  private final SingleUseStore<TokenEnrolment> store;
  private final PasscodeChecks parts;
  private final TokenSeeds seeds;
  private final StrongFactors factors;
  private final RandomGenerator random;

  public TokenEnrolments(Stores stores, PasscodeChecks parts, TokenSeeds seeds, StrongFactors factors, RandomGenerator random) {
    this.store = stores.singleUse(STORE, new JsonCodec<>(TokenEnrolment.class));
    this.parts = parts;
    this.seeds = seeds;
    this.factors = factors;
    this.random = random;
  }

  /** Returns whether the person has something that a login can ask for after the password: further tokens need a login with it. */
  public boolean hasSecondStep(RealmRequest request, PersonId person) {
    return factors.hasAny(request, person);
  }

  /**
   * Begins an enrolment.
   *
   * @param further whether the person has just logged in with all that they have
   * @return its key, for forms and addresses: useless without browser and person
   */
  public String begin(RealmRequest request, Person person, String browser, boolean further) {
    String realm = request.realm().name();
    String key = SessionToken.create(random).value();
    byte[] sealed = parts.sealing.seal(TotpSecret.create(random).bytes(), context(realm, person.id(), key));
    store.put(key, new TokenEnrolment(realm, person.id(), sealed, browser, further), parts.clock.instant().plus(LIFE));
    return key;
  }

  /** The offer to show, the same at each reload. Empty if the enrolment is gone. */
  public Optional<Offer> find(RealmRequest request, Person person, String browser, String key) {
    return stored(request, person, browser, key)
        .map(
            enrolment -> {
              TotpSecret secret = secret(enrolment, key);
              String account = person.name() + " (" + serial(key) + ")";
              String uri = secret.uri(issuer(request), account, type(request).digits());
              boolean needsPin = parts.tokens.holder(enrolment.realm(), person.id()).sealedPins().isEmpty();
              return new Offer(QrPicture.of(uri), uri, secret.text().replaceAll("(.{4})(?=.)", "$1 "), account, needsPin);
            });
  }

  /** Stores the token if the code is one of it, and the PIN if the person has none. */
  public Outcome confirm(RealmRequest request, Person person, String browser, String key, Typed typed) {
    Optional<TokenEnrolment> enrolment = stored(request, person, browser, key);
    if (enrolment.isEmpty()) {
      return Outcome.GONE;
    }
    TokenType type = type(request);
    byte[] seed = secret(enrolment.get(), key).bytes();
    long now = TokenCodes.step(type, parts.clock.instant());
    OptionalLong used = new TokenCodes(type, seed).find(typed.code().replaceAll("\\s", ""), now - 1, now + 1);
    if (used.isEmpty()) {
      return Outcome.WRONG_CODE;
    }
    boolean needsPin = parts.tokens.holder(enrolment.get().realm(), person.id()).sealedPins().isEmpty();
    TokenLogin rules = PasscodeChecks.rules(request.realm()).orElseThrow();
    if (needsPin && !PinPolicy.allows(rules.pin(), typed.pin().strip())) {
      return Outcome.PIN_NOT_ALLOWED;
    }
    if (needsPin && !typed.pin().equals(typed.again())) {
      return Outcome.PINS_DIFFER;
    }
    boolean tooLate = !enrolment.get().further() && hasSecondStep(request, person.id());
    if (tooLate || !(store.take(key) instanceof TakeResult.First)) {
      return Outcome.GONE;
    }
    // The code that proved the token is used up.
    Token token = seeds.token(enrolment.get().realm(), serial(key), type, seed, used.getAsLong() + 1, Optional.empty());
    return keep(request, person, enrolment.get(), token, needsPin ? Optional.of(typed.pin().strip()) : Optional.empty());
  }

  /** The PIN comes first: somebody with a token and no PIN could not log in, and an end between the two leaves a PIN that opens nothing. */
  private Outcome keep(RealmRequest request, Person person, TokenEnrolment enrolment, Token token, Optional<String> pin) {
    String realm = enrolment.realm();
    if (pin.isPresent() && !seeds.givePin(realm, person.id(), pin.get())) {
      return Outcome.GONE;
    }
    boolean kept = parts.tokens.add(realm, List.of(token)).isEmpty() && parts.tokens.assign(realm, token.serial(), person.id());
    // Of two first tokens that were begun with a password alone, by the person and by a thief, none is kept.
    if (!kept || !enrolment.further() && parts.tokens.of(realm, person.id()).size() > 1) {
      parts.tokens.remove(realm, token.serial());
      return Outcome.GONE;
    }
    parts.audit.record(new AuditEvent.TokenChanged(request.context(), token.serial(), person.id().value(), "enrolled"));
    pin.ifPresent(
        chosen -> parts.audit.record(new AuditEvent.TokenChanged(request.context(), token.serial(), person.id().value(), "pin-set")));
    return Outcome.DONE;
  }

  private Optional<TokenEnrolment> stored(RealmRequest request, Person person, String browser, String key) {
    return store
        .peek(key)
        .filter(e -> e.realm().equals(request.realm().name()) && e.person().equals(person.id()) && e.browser().equals(browser));
  }

  private TotpSecret secret(TokenEnrolment enrolment, String key) {
    return new TotpSecret(parts.sealing.open(enrolment.sealedSeed(), context(enrolment.realm(), enrolment.person(), key)));
  }

  /** The serial number is known before the token is stored, because the app shows it. */
  private String serial(String key) {
    long bits = Long.parseUnsignedLong(parts.sealing.digest(key, "otp-serial").substring(0, 10), 16);
    StringBuilder serial = new StringBuilder(PREFIX);
    for (int i = 0; i < SERIAL_LENGTH; i++) {
      serial.append(LETTERS.charAt((int) (bits >> 5 * i & 31)));
    }
    return serial.toString();
  }

  /** SHA-1 and 30 seconds: other values are unknown to most apps. */
  private static TokenType type(RealmRequest request) {
    TokenType usual = TokenType.USUAL;
    return new TokenType(usual.kind(), usual.hash(), request.idp().contracts().totp().digits(), usual.period());
  }

  private static String issuer(RealmRequest request) {
    return request.idp().contracts().totp().issuer().orElse(request.realm().brand().displayName().replace(":", " "));
  }

  private static String[] context(String realm, PersonId person, String key) {
    return new String[] {"otp-enrolment", realm, person.value(), key};
  }
}
