package dev.gatehouse.idp.otp;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.TokenRegister;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.TokenLogin.ChosenBy;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.TokenWindow.Width;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What people do with their own tokens. Wrong codes and PINs count as at a login, so that no page here is a way to guess. Serial numbers
 * come from a browser: only the person's own ones are looked at.
 */
public final class OwnTokens {

  /** The way in, for challenges and the audit log. */
  static final String CLIENT = "account";

  /** The result of a change. */
  public enum Outcome {
    DONE,
    /** What was typed does not count, or there is no such token: the same for the person. */
    NOT_ACCEPTED,
    PIN_NOT_ALLOWED,
    PINS_DIFFER,
    /** Too many wrong ones came before: a login with two codes has to come first. */
    NEXT_CODE_NEEDED,
    /** Too many wrong ones came before: instead of one code, two successive ones are asked for. */
    TWO_CODES_NEEDED,
    /** The token is to answer a challenge first. */
    RESPONSE_NEEDED
  }

  private final PasscodeChecks parts;
  private final TokenRegister register;

  public OwnTokens(PasscodeChecks parts, TokenRegister register) {
    this.parts = parts;
    this.register = register;
  }

  /** What people do with their PIN. */
  public OwnPins pins() {
    return new OwnPins(parts, this);
  }

  /** Codes that the person prints. */
  public OwnEmergencyCodes emergencyCodes() {
    return new OwnEmergencyCodes(parts, this);
  }

  /** The PIN that the person gets in place of one of their own choice; empty if people choose. */
  public Optional<String> serverPin(RealmRequest request, PersonId person) {
    TokenLogin.Pin pin = rules(request).pin();
    String realm = request.realm().name();
    return pin.chosenBy() == ChosenBy.SERVER
        ? Optional.of(parts.createPin(realm, pin, person, parts.tokens.holder(realm, person).sealedPins(), source(request)))
        : Optional.empty();
  }

  /**
   * Gives the person a token that belongs to nobody yet, in place of one of theirs: whoever types two successive codes has it in the hand.
   * Codes that are wrong count as at a login, and whether there is such a token is not told.
   */
  public Outcome replace(RealmRequest request, Person person, String serial, String by, String first, String second) {
    String realm = request.realm().name();
    Instant now = parts.clock.instant();
    Optional<Token> before =
        of(request, person).stream().filter(token -> token.serial().equals(serial) && !AppTokens.isOne(token)).findFirst();
    if (before.isEmpty() || holder(request, person, now).wrong() >= rules(request).lockAfter()) {
      return refused(request, person, before.isEmpty() ? Reason.NO_TOKEN : Reason.LOCKED);
    }
    Optional<Token> token =
        parts.tokens.find(realm, by).filter(one -> one.person().isEmpty() && one.isUsable(now) && !OcraTokens.isOne(one));
    if (token.isEmpty()) {
      return wrong(request, person);
    }
    Optional<SuccessiveCodes.Found> found = SuccessiveCodes.find(parts.sealing, realm, token.get(), first, second, now);
    if (found.isEmpty()) {
      return wrong(request, person);
    }
    boolean fresh = parts.tokens.resynchronise(realm, by, found.get().used(), found.get().drift());
    if (!fresh || !register.replace(realm, before.get(), by)) {
      return refused(request, person, fresh ? Reason.TOKEN_DISABLED : Reason.CODE_USED);
    }
    // Its codes have just counted: the one before goes back at once.
    parts.tokens.find(realm, by).ifPresent(replacing -> parts.tokens.finishReplacement(realm, replacing, person.id()));
    record(request, person, by, "replaced");
    return Outcome.DONE;
  }

  /** Returns whether a code of a token that the person may still use counted at this time: not what stood in for one. */
  public boolean wasUsed(RealmRequest request, Person person, Instant from, Instant to) {
    return of(request, person).stream()
        .filter(token -> token.isUsable(parts.clock.instant()))
        .flatMap(token -> token.usedAt().stream())
        .anyMatch(at -> !at.isBefore(from) && !at.isAfter(to));
  }

  /** The person's tokens, whatever their state. */
  public List<Token> of(RealmRequest request, Person person) {
    String realm = request.realm().name();
    return parts.tokens.of(realm, person.id()).stream().map(token -> parts.uses.current(realm, token)).toList();
  }

  public boolean hasPin(RealmRequest request, Person person) {
    return parts.tokens.holder(request.realm().name(), person.id()).sealedPins().isPresent();
  }

  /** Returns whether the person set the token up, and may remove it here; apps have a page of their own. */
  public boolean isOwn(Token token) {
    return token.type().kind() == TokenType.Kind.TOTP && token.serial().startsWith(TokenEnrolments.PREFIX);
  }

  /** Returns whether a login can be made with the token: it counts now, and there is a PIN. */
  public boolean isOfUse(RealmRequest request, Person person, Token token) {
    return token.isUsable(parts.clock.instant()) && hasPin(request, person);
  }

  /**
   * Sets the PIN of a person who has none, by a code.
   *
   * @param code of a token, alone, or two successive ones after several wrong ones; that the person has just logged in is proved by the
   *     caller
   */
  Outcome firstPin(RealmRequest request, Person person, String code, String pin, String again) {
    TokenLogin rules = rules(request);
    Optional<Outcome> bad = problem(rules, pin, again);
    if (bad.isPresent()) {
      return bad.get();
    }
    Instant now = parts.clock.instant();
    TokenHolder holder = holder(request, person, now);
    if (holder.sealedPins().isPresent()) {
      return Outcome.NOT_ACCEPTED;
    }
    if (holder.wrong() >= rules.lockAfter()) {
      return refused(request, person, Reason.LOCKED);
    }
    String typed = code.replaceAll("\\s", "");
    boolean two = holder.wrong() >= rules.nextCodeAfter();
    List<Token> usable = of(request, person).stream().filter(token -> token.isUsable(now) && !OcraTokens.isOne(token)).toList();
    // Whether a single code is right, is not told.
    if (two && usable.stream().noneMatch(token -> typed.length() == 2 * token.type().digits())) {
      refused(request, person, Reason.WRONG_PASSCODE);
      return Outcome.TWO_CODES_NEEDED;
    }
    for (Token token : usable) {
      TokenWindow window = TokenWindow.of(token, now, two ? Width.TWO_CODES : Width.ONE_CODE);
      OptionalLong used = SuccessiveCodes.oneOrTwo(codes(request, token), token, typed, window, two);
      if (used.isPresent()) {
        Tokens.Use use = new Tokens.Use(token.serial(), person.id(), used.getAsLong(), window.drift(token, used.getAsLong()), now);
        return parts
            .uses
            .use(request.realm().name(), token, use, rules.lockAfter())
            .map(after -> firstPin(request, person, holder, after, token.serial(), pin))
            .orElseGet(() -> notUsed(request, person, now));
      }
    }
    return wrong(request, person);
  }

  /** After the use of the code: wrong ones that were counted meanwhile ask for two. */
  private Outcome firstPin(RealmRequest request, Person person, TokenHolder before, TokenHolder after, String serial, String pin) {
    int most = rules(request).nextCodeAfter();
    if (before.wrong() < most && after.wrong() >= most) {
      return Outcome.TWO_CODES_NEEDED;
    }
    if (after.wrong() > 0) {
      parts.tokens.forgive(request.realm().name(), person.id());
    }
    return keep(request, person, before, serial, pin);
  }

  private Outcome notUsed(RealmRequest request, Person person, Instant now) {
    boolean locked = holder(request, person, now).wrong() >= rules(request).lockAfter();
    return refused(request, person, locked ? Reason.LOCKED : Reason.CODE_USED);
  }

  TokenHolder holder(RealmRequest request, Person person, Instant now) {
    return parts.holder(request.realm().name(), rules(request), person.id(), now);
  }

  /** Returns whether the token has a clock or counter that the person can find again: a phone has its time from the network. */
  public static boolean isResynchronised(Token token) {
    return !AppTokens.isOne(token) && (!OcraTokens.isOne(token) || OcraTokens.isCounting(token));
  }

  /** The two challenges to whose responses a token shows where it is; none if it shows codes without being asked. */
  public List<String> challenges(RealmRequest request, Token token) {
    String realm = request.realm().name();
    return OcraTokens.isCounting(token) ? OcraTokens.pair(parts.sealing, realm, token, parts.clock.instant()) : List.of();
  }

  private boolean isRight(RealmRequest request, Person person, TokenHolder holder, String pin) {
    String realm = request.realm().name();
    return pin.isEmpty() || parts.pins.isRight(realm, Optional.of(person.id()), holder.sealedPins(), pin, source(request));
  }

  /** Who shares turns of hashing with the browser. */
  private static String source(RealmRequest request) {
    return new PasscodeAttempt("", "", CLIENT + ":", request.http().client().getHostAddress()).source(request.realm().name());
  }

  /** Finds the token's clock or counter again by two successive codes, or by responses to its challenges. */
  public Outcome resynchronise(RealmRequest request, Person person, String serial, String first, String second) {
    String realm = request.realm().name();
    Instant now = parts.clock.instant();
    Optional<Token> token =
        of(request, person).stream()
            .filter(t -> t.serial().equals(serial) && t.isUsable(now) && isResynchronised(t))
            .findFirst();
    TokenHolder holder = holder(request, person, now);
    if (token.isEmpty() || holder.wrong() >= rules(request).lockAfter()) {
      return refused(request, person, token.isEmpty() ? Reason.NO_TOKEN : Reason.LOCKED);
    }
    Optional<SuccessiveCodes.Found> found = SuccessiveCodes.find(parts.sealing, realm, token.get(), first, second, now);
    if (found.isEmpty() || !isRight(request, person, holder, found.get().pin())) {
      return wrong(request, person);
    }
    if (!parts.tokens.resynchronise(realm, serial, found.get().used(), found.get().drift())) {
      return refused(request, person, Reason.CODE_USED);
    }
    record(request, person, serial, "resynchronised");
    return Outcome.DONE;
  }

  /** Ends the codes of an enabled token that the person has lost, unless it is an app; that it is the person, is proved by the caller. */
  public Outcome lost(RealmRequest request, Person person, String serial) {
    Optional<Token> seen =
        of(request, person).stream()
            .filter(token -> token.serial().equals(serial) && token.state() == Token.State.ENABLED && !AppTokens.isOne(token))
            .findFirst();
    if (seen.isEmpty()) {
      return Outcome.NOT_ACCEPTED;
    }
    parts.tokens.requireChangeable();
    // A help desk may have disabled it or handed it on meanwhile.
    if (!register.change(request.realm().name(), seen.get(), Token.State.LOST)) {
      return Outcome.NOT_ACCEPTED;
    }
    record(request, person, serial, "lost");
    return Outcome.DONE;
  }

  /** The token that the person would report lost without a login: the only one with a PIN; empty where another one, or an app, logs in. */
  public Optional<Token> onlyOne(RealmRequest request, Person person) {
    List<Token> usable = of(request, person).stream().filter(token -> token.isUsable(parts.clock.instant())).toList();
    return usable.size() == 1 ? Optional.of(usable.getFirst()).filter(token -> !AppTokens.isOne(token)) : Optional.empty();
  }

  /** Removes a token that the person set up. */
  public Outcome remove(RealmRequest request, Person person, String serial) {
    if (of(request, person).stream().noneMatch(token -> token.serial().equals(serial) && isOwn(token))) {
      return Outcome.NOT_ACCEPTED;
    }
    parts.tokens.remove(request.realm().name(), serial);
    record(request, person, serial, "removed");
    return Outcome.DONE;
  }

  static Optional<Outcome> problem(TokenLogin rules, String pin, String again) {
    if (!PinPolicy.allows(rules.pin(), pin)) {
      return Optional.of(Outcome.PIN_NOT_ALLOWED);
    }
    return pin.equals(again) ? Optional.empty() : Optional.of(Outcome.PINS_DIFFER);
  }

  /** Keeps a PIN where those before are as they were when the change began: one that the help desk has made meanwhile stays. */
  Outcome keep(RealmRequest request, Person person, TokenHolder before, String serial, String pin) {
    String realm = request.realm().name();
    Optional<byte[]> former = before.sealedPins();
    if (PasscodeStoreUnavailable.afterUse(() -> parts.pins.isKnown(realm, person.id(), former, pin, ""))) {
      return Outcome.PIN_NOT_ALLOWED;
    }
    byte[] sealed =
        PasscodeStoreUnavailable.afterUse(() -> parts.pins.sealed(realm, person.id(), former, pin, rules(request).pin().former()));
    if (!parts.tokens.replacePins(realm, person.id(), former, sealed, false)) {
      return refused(request, person, Reason.PIN_NOT_ALLOWED);
    }
    record(request, person, serial, "pin-set");
    return Outcome.DONE;
  }

  private TokenCodes codes(RealmRequest request, Token token) {
    return TokenSeeds.codes(parts.sealing, request.realm().name(), token);
  }

  private Outcome wrong(RealmRequest request, Person person) {
    TokenLogin rules = rules(request);
    parts.tokens.countWrong(
        request.realm().name(), person.id(), rules.lockAfter(), rules.lockFor().map(parts.clock.instant()::plus));
    return refused(request, person, Reason.WRONG_PASSCODE);
  }

  Outcome refused(RealmRequest request, Person person, Reason reason) {
    parts.audit.record(new AuditEvent.PasscodeDecided(request.context(), person.name(), CLIENT, "refused", reason.name()));
    return Outcome.NOT_ACCEPTED;
  }

  void record(RealmRequest request, Person person, String serial, String change) {
    parts.audit.record(new AuditEvent.TokenChanged(request.context(), serial, person.id().value(), change));
  }

  static TokenLogin rules(RealmRequest request) {
    return PasscodeChecks.rules(request.realm()).orElseThrow();
  }
}
