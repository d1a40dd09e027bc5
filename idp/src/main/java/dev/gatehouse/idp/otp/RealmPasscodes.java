package dev.gatehouse.idp.otp;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSearch;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.otp.Tokens.Owned;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.TokenLogin.ChosenBy;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.common.throttle.LoginNames;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import dev.gatehouse.idp.otp.TokenWindow.Width;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;

/**
 * Decides about passcodes of one realm. Wrong ones are counted after the check, and the update that uses up a right code sees the count:
 * of guesses in parallel, one counts only if fewer wrong ones came before than the realm allows.
 */
final class RealmPasscodes implements PasscodeCheck {

  private static final int LONGEST = 128;

  /** What stands for a token in results: an emergency password or code. */
  private static final String EMERGENCY = "emergency";

  /** In place of what was used: a first challenge, which no response has come to. */
  static final long NOT_ANSWERED = -1;

  private static final Set<Question> FOR_PIN = Set.of(Question.NEW_PIN, Question.NEW_PIN_AGAIN, Question.SERVER_PIN);

  private static final Owned NOTHING = new Owned(TokenHolder.NEW, List.of());

  private final Realm realm;
  private final TokenLogin rules;
  private final PasscodeChecks parts;

  RealmPasscodes(Realm realm, TokenLogin rules, PasscodeChecks parts) {
    this.realm = realm;
    this.rules = rules;
    this.parts = parts;
  }

  @Override
  public PasscodeResult check(PasscodeAttempt attempt) {
    return recorded(attempt, () -> decide(attempt));
  }

  @Override
  public PasscodeResult answer(String reference, PasscodeAttempt attempt) {
    return recorded(attempt, () -> decide(reference, attempt));
  }

  private PasscodeResult recorded(PasscodeAttempt attempt, Supplier<PasscodeResult> decision) {
    PasscodeResult result;
    try {
      result = decision.get();
    } catch (DataAccessException | StoreUnavailable | DirectoryUnavailable e) {
      throw PasscodeStoreUnavailable.midway(e);
    }
    AuditEvent.Context context =
        new AuditEvent.Context(realm.name(), attempt.address().isEmpty() ? "-" : attempt.address(), RequestId.current());
    String by = attempt.way();
    String name = attempt.name().length() > LoginNames.LONGEST ? attempt.name().substring(0, LoginNames.LONGEST) : attempt.name();
    switch (result) {
      case Accepted(Person person, String token) ->
          parts.audit.record(new AuditEvent.PasscodeDecided(context, person.name(), by, "accepted", token));
      case Refused(Reason reason) ->
          parts.audit.record(new AuditEvent.PasscodeDecided(context, name, by, "refused", reason.name()));
      case Challenged(Question question, var reference, var shown) ->
          parts.audit.record(new AuditEvent.PasscodeDecided(context, name, by, "challenged", question.name()));
    }
    return result;
  }

  private PasscodeResult decide(PasscodeAttempt attempt) {
    String typed = attempt.typed();
    Optional<Person> person = typed.length() > LONGEST ? Optional.empty() : PasscodeStoreUnavailable.reading(() -> find(attempt));
    Instant now = parts.clock.instant();
    Owned owned = person.map(known -> owned(known, now)).orElse(NOTHING);
    TokenHolder holder = owned.holder();
    Width width = holder.wrong() >= rules.nextCodeAfter() ? Width.TWO_CODES : Width.ONE_CODE;
    List<Token> tokens = owned.tokens();
    Optional<TokenMatch> match = TokenMatch.of(parts.sealing, realm.name(), tokens, typed, now, width);
    // A PIN is always needed: without one before it, what looks like an emergency code is a long PIN.
    Optional<Emergencies.Typed> emergency =
        match.isPresent() ? Optional.empty() : Emergencies.typed(typed).filter(code -> !code.pin().isEmpty());
    String pin = match.map(TokenMatch::pin).or(() -> emergency.map(Emergencies.Typed::pin)).orElse(typed);
    boolean right = parts.pins.isRight(realm.name(), person.map(Person::id), holder.sealedPins(), pin, attempt.source(realm.name()));
    if (person.isEmpty()) {
      return new Refused(Reason.UNKNOWN_PERSON);
    }
    if (holder.wrong() >= rules.lockAfter()) {
      return new Refused(Reason.LOCKED);
    }
    if (tokens.isEmpty()) {
      return new Refused(Reason.NO_TOKEN);
    }
    // A code alone is no login, and no way to a first PIN: whoever finds a token would choose it. As there is nothing to guess, nothing is
    // counted: a stranger would lock the second step of people who only have an app for it.
    if (holder.sealedPins().isEmpty()) {
      return new Refused(Reason.WRONG_PASSCODE);
    }
    PersonId id = person.get().id();
    Optional<String> digest = emergency.map(typing -> Emergencies.digest(parts.sealing, realm.name(), id, typing.code()));
    boolean standsIn = digest.filter(one -> parts.tokens.standsIn(realm.name(), id, one, now)).isPresent();
    Optional<Token> answering =
        match.isPresent() || emergency.isPresent() || !right
            ? Optional.empty()
            : tokens.stream().filter(token -> OcraTokens.isOne(token) && token.isUsable(now)).findFirst();
    boolean something = match.isPresent() || standsIn || answering.isPresent();
    if (right && something && !isAdmitted(attempt, person.get(), now)) {
      return new Refused(Reason.NOT_ADMITTED);
    }
    if (right && standsIn && parts.tokens.useEmergency(realm.name(), id, digest.orElseThrow(), now, rules.lockAfter())) {
      forgive(person.get(), holder);
      return entered(attempt, person.get(), holder(id, now), "", -1);
    }
    if (answering.isPresent()) {
      return asked(attempt, person.get(), answering.get(), NOT_ANSWERED);
    }
    if (match.isEmpty() || !right) {
      return wrong(person.get(), now, Reason.WRONG_PASSCODE);
    }
    return found(attempt, person.get(), match.get(), now);
  }

  private PasscodeResult found(PasscodeAttempt attempt, Person person, TokenMatch match, Instant now) {
    Token token = match.token();
    if (token.isExpired(now)) {
      return wrong(person, now, Reason.TOKEN_EXPIRED);
    }
    if (token.state() != Token.State.ENABLED) {
      return wrong(person, now, Reason.TOKEN_DISABLED);
    }
    Optional<TokenHolder> holder = use(person, token, match.used(), match.window(), now);
    if (holder.isEmpty()) {
      return notUsed(person, now);
    }
    if (holder.get().wrong() >= rules.nextCodeAfter()) {
      return challenge(attempt, person, Question.NEXT_CODE, token.serial(), match.used(), "");
    }
    return passed(attempt, person, holder.get(), token, match.used());
  }

  /** Returns whether roles and groups admit the person to the client now. They are those of the directory, not of a register. */
  private boolean isAdmitted(PasscodeAttempt attempt, Person person, Instant now) {
    return attempt.admission().admits().test(person) && rules.admits(attempt.client(), person.groups(), now);
  }

  private PasscodeResult passed(PasscodeAttempt attempt, Person person, TokenHolder holder, Token token, long used) {
    forgive(person, holder);
    if (token.replaces().isPresent()) {
      parts.tokens.finishReplacement(realm.name(), token, person.id());
    }
    return entered(attempt, person, holder, token.serial(), used);
  }

  /** A PIN that only serves to choose another opens nothing else, whatever came with it. */
  private PasscodeResult entered(PasscodeAttempt attempt, Person person, TokenHolder holder, String serial, long used) {
    if (!holder.newPin()) {
      return accepted(person, serial);
    }
    if (rules.pin().chosenBy() == ChosenBy.PERSON) {
      return challenge(attempt, person, Question.NEW_PIN, serial, used, digest(person, holder, ""));
    }
    String made = PasscodeStoreUnavailable.afterUse(() -> parts.createPin(realm.name(), rules.pin(), person.id(), holder.sealedPins(), ""));
    return rules.pin().chosenBy() == ChosenBy.SERVER
        ? challenge(attempt, person, Question.SERVER_PIN, serial, used, digest(person, holder, made), Optional.of(made))
        : challenge(attempt, person, Question.NEW_PIN, serial, used, digest(person, holder, ""), Optional.of(made));
  }

  /** Asks for the response of a token to a challenge. */
  private PasscodeResult asked(PasscodeAttempt attempt, Person person, Token token, long answered) {
    long used = answered == NOT_ANSWERED ? token.lastUsed() : answered;
    String text = OcraTokens.challenge(parts.sealing, realm.name(), token, used, parts.clock.instant());
    return challenge(attempt, person, Question.RESPONSE, token.serial(), answered, text, Optional.of(text));
  }

  /** After several wrong ones, two challenges are to be answered one after the other. */
  private PasscodeResult response(PasscodeAttempt attempt, Person person, Owned owned, Challenge asked) {
    Instant now = parts.clock.instant();
    Optional<OcraTokens.Found> found = OcraTokens.find(parts.sealing, realm.name(), owned.tokens(), asked.pin(), attempt.passcode(), now);
    String pin = found.map(OcraTokens.Found::pin).orElse("");
    Optional<byte[]> pins = owned.holder().sealedPins();
    if (found.isEmpty()
        || !pin.isEmpty() && !parts.pins.isRight(realm.name(), Optional.of(person.id()), pins, pin, attempt.source(realm.name()))) {
      return wrong(person, now, Reason.WRONG_PASSCODE);
    }
    Token token = found.get().token();
    Tokens.Use use = new Tokens.Use(token.serial(), person.id(), found.get().used(), 0, now);
    Optional<TokenHolder> holder = parts.uses.use(realm.name(), token, use, rules.lockAfter());
    if (holder.isEmpty()) {
      return notUsed(person, now);
    }
    return holder.get().wrong() >= rules.nextCodeAfter() && asked.used() == NOT_ANSWERED
        ? asked(attempt, person, token, found.get().used())
        : passed(attempt, person, holder.get(), token, found.get().used());
  }

  private static Accepted accepted(Person person, String serial) {
    return new Accepted(person, serial.isEmpty() ? EMERGENCY : serial);
  }

  private PasscodeResult decide(String reference, PasscodeAttempt attempt) {
    Optional<Challenge> asked =
        PasscodeStoreUnavailable.reading(() -> parts.challenges.peek(reference))
            .filter(c -> c.realm().equals(realm.name()) && c.client().equals(attempt.client()) && c.name().equals(attempt.name()))
            .filter(c -> parts.challenges.take(reference) instanceof TakeResult.First);
    Optional<Person> person = asked.flatMap(c -> find(attempt).filter(found -> found.id().equals(c.person())));
    if (asked.isEmpty() || person.isEmpty()) {
      // As slow as every other refusal: whoever invents challenges would fill the audit log.
      parts.pins.isRight(realm.name(), Optional.empty(), Optional.empty(), attempt.typed(), attempt.source(realm.name()));
      return new Refused(Reason.CHALLENGE_UNKNOWN);
    }
    Instant now = parts.clock.instant();
    if (!isAdmitted(attempt, person.get(), now)) {
      return new Refused(Reason.NOT_ADMITTED);
    }
    Owned owned = owned(person.get(), now);
    TokenHolder holder = owned.holder();
    if (holder.wrong() >= rules.lockAfter()) {
      return new Refused(Reason.LOCKED);
    }
    List<Token> tokens = owned.tokens();
    Optional<Token> token = tokens.stream().filter(one -> one.serial().equals(asked.get().serial()) && one.isUsable(now)).findFirst();
    boolean stoodIn = asked.get().serial().isEmpty() && FOR_PIN.contains(asked.get().question());
    if (token.isEmpty() && (!stoodIn || tokens.isEmpty())) {
      return new Refused(Reason.TOKEN_DISABLED);
    }
    return switch (asked.get().question()) {
      case NEXT_CODE -> nextCode(attempt, person.get(), holder, token.orElseThrow(), asked.get());
      case NEW_PIN -> PasscodeStoreUnavailable.afterUse(() -> newPin(attempt, person.get(), holder, asked.get()));
      case NEW_PIN_AGAIN, SERVER_PIN -> PasscodeStoreUnavailable.afterUse(() -> newPinAgain(attempt, person.get(), holder, asked.get()));
      case RESPONSE -> response(attempt, person.get(), owned, asked.get());
      case PASSCODE_WITH_NEW_PIN -> new Refused(Reason.CHALLENGE_UNKNOWN);
    };
  }

  private PasscodeResult nextCode(PasscodeAttempt attempt, Person person, TokenHolder holder, Token token, Challenge asked) {
    Instant now = parts.clock.instant();
    String typed = attempt.typed();
    long next = asked.used() + 1;
    if (TokenSeeds.codes(parts.sealing, realm.name(), token).find(typed, next, next).isEmpty()) {
      return wrong(person, now, Reason.WRONG_PASSCODE);
    }
    return use(person, token, next, TokenWindow.of(token, now, Width.TWO_CODES), now).isPresent()
        ? passed(attempt, person, holder, token, next)
        : notUsed(person, now);
  }

  private PasscodeResult newPin(PasscodeAttempt attempt, Person person, TokenHolder holder, Challenge asked) {
    if (!digest(person, holder, "").equals(asked.pin())) {
      return new Refused(Reason.CHALLENGE_UNKNOWN);
    }
    String pin = attempt.passcode().strip();
    if (!PinPolicy.allows(rules.pin(), pin) || parts.pins.isKnown(realm.name(), person.id(), holder.sealedPins(), pin, "")) {
      return new Refused(Reason.PIN_NOT_ALLOWED);
    }
    return challenge(attempt, person, Question.NEW_PIN_AGAIN, asked.serial(), asked.used(), digest(person, holder, pin));
  }

  private PasscodeResult newPinAgain(PasscodeAttempt attempt, Person person, TokenHolder holder, Challenge asked) {
    String pin = attempt.passcode().strip();
    if (!digest(person, holder, pin).equals(asked.pin())) {
      return new Refused(Reason.PIN_NOT_ALLOWED);
    }
    byte[] sealed = parts.pins.sealed(realm.name(), person.id(), holder.sealedPins(), pin, rules.pin().former());
    return parts.tokens.replacePins(realm.name(), person.id(), holder.sealedPins(), sealed, false)
        ? accepted(person, asked.serial())
        : new Refused(Reason.CHALLENGE_UNKNOWN);
  }

  /** A digest of a PIN and of the PINs that it replaces, so that an old challenge changes none that came later. */
  private String digest(Person person, TokenHolder holder, String pin) {
    String before = holder.sealedPins().map(HexFormat.of()::formatHex).orElse("");
    return parts.sealing.digest(pin, "otp-new-pin", realm.name(), person.id().value(), before);
  }

  private Optional<TokenHolder> use(Person person, Token token, long used, TokenWindow window, Instant now) {
    Tokens.Use use = new Tokens.Use(token.serial(), person.id(), used, window.drift(token, used), now);
    return parts.uses.use(realm.name(), token, use, rules.lockAfter(), parts.given.kept(realm, token));
  }

  private PasscodeResult notUsed(Person person, Instant now) {
    return new Refused(holder(person.id(), now).wrong() >= rules.lockAfter() ? Reason.LOCKED : Reason.CODE_USED);
  }

  private PasscodeResult wrong(Person person, Instant now, Reason reason) {
    parts.tokens.countWrong(realm.name(), person.id(), rules.lockAfter(), rules.lockFor().map(now::plus));
    return new Refused(reason);
  }

  private void forgive(Person person, TokenHolder holder) {
    if (holder.wrong() > 0) {
      parts.tokens.forgive(realm.name(), person.id());
    }
  }

  private Owned owned(Person person, Instant now) {
    return PasscodeStoreUnavailable.reading(() -> parts.owned(realm.name(), rules, person.id(), now));
  }

  private TokenHolder holder(PersonId person, Instant now) {
    return parts.holder(realm.name(), rules, person, now);
  }

  private PasscodeResult challenge(PasscodeAttempt attempt, Person person, Question question, String serial, long used, String pin) {
    return challenge(attempt, person, question, serial, used, pin, Optional.empty());
  }

  private PasscodeResult challenge(
      PasscodeAttempt attempt, Person person, Question question, String serial, long used, String pin, Optional<String> shown) {
    Challenge challenge =
        new Challenge(realm.name(), person.id(), attempt.name(), attempt.client(), question, serial, used, pin);
    return new Challenged(question, parts.keep(challenge), shown);
  }

  private Optional<Person> find(PasscodeAttempt attempt) {
    String name = attempt.name();
    if (name.isBlank() || name.length() > LoginNames.LONGEST) {
      return Optional.empty();
    }
    Directory directory = parts.directories.of(realm);
    String attribute = realm.directory().orElseThrow().people().nameAttribute();
    boolean isGroupWanted = attempt.admission().looksAtGroups() || rules.looksAtGroups(attempt.client());
    PersonSearch found = isGroupWanted ? directory.findEnabled(attribute, name) : directory.findEnabledAlone(attribute, name);
    return found instanceof PersonSearch.One(Person person) ? Optional.of(person) : Optional.empty();
  }
}
