package dev.gatehouse.idp.otp;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.otp.OwnTokens.Outcome;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What people do with their own PIN. A token that shows codes is typed with it at once; one that answers challenges shows its response to a
 * challenge that comes in between, which belongs to the person, to this page, to what it is for, and to the PINs as they were.
 */
public final class OwnPins {

  /** Where challenges for a first PIN come from: they change no PIN that is there. */
  private static final String FIRST = OwnTokens.CLIENT + ":first-pin";

  /** Of a digest, what tells PINs apart. */
  private static final int DIGITS = 16;

  /**
   * What was typed.
   *
   * @param passcode PIN and code, a code, or the response to a challenge
   * @param reference of the challenge; empty if there was none
   */
  public record Typed(String passcode, String reference, String pin, String again) {
    @Override
    public String toString() {
      return "Typed[]";
    }
  }

  /**
   * What came of it.
   *
   * @param asked what the token is to answer, if that is needed
   */
  public record Answer(Outcome outcome, Optional<Asked> asked) {

    private static Answer of(Outcome outcome) {
      return new Answer(outcome, Optional.empty());
    }
  }

  /** A challenge for the person's token. */
  public record Asked(String reference, String challenge) {}

  private final PasscodeChecks parts;
  private final OwnTokens tokens;

  OwnPins(PasscodeChecks parts, OwnTokens tokens) {
    this.parts = parts;
    this.tokens = tokens;
  }

  /** A PIN that the person may take or not, where the server proposes one. Whether it was theirs before is told when they take it. */
  public Optional<String> proposed(RealmRequest request) {
    TokenLogin.Pin pin = OwnTokens.rules(request).pin();
    return pin.chosenBy() == TokenLogin.ChosenBy.EITHER ? Optional.of(PinPolicy.create(pin, parts.random)) : Optional.empty();
  }

  /** Returns whether the person's token shows no code without being asked, and answers challenges instead. */
  public boolean isByResponse(RealmRequest request, Person person) {
    Instant now = parts.clock.instant();
    return usable(request, person, now).allMatch(OcraTokens::isOne) && usable(request, person, now).findAny().isPresent();
  }

  private Stream<Token> usable(RealmRequest request, Person person, Instant now) {
    return tokens.of(request, person).stream().filter(token -> token.isUsable(now));
  }

  /** Changes the PIN of a person who types the present one with a code, or answers a challenge after it. */
  public Answer change(RealmRequest request, Person person, Typed typed) {
    TokenHolder before = parts.tokens.holder(request.realm().name(), person.id());
    String client = clientOf(before);
    Optional<Outcome> bad = OwnTokens.problem(OwnTokens.rules(request), typed.pin(), typed.again());
    if (bad.isPresent()) {
      return new Answer(bad.get(), asked(request, person, client, typed.reference()));
    }
    PasscodeCheck check = parts.of(request.realm()).orElseThrow();
    return switch (passed(request, person, check, client, typed)) {
      case Refused refused -> Answer.of(Outcome.NOT_ACCEPTED);
      case Challenged(Question question, String reference, var shown) when question == Question.RESPONSE ->
          new Answer(Outcome.RESPONSE_NEEDED, Optional.of(new Asked(reference, shown.orElse(""))));
      case Challenged(Question question, String reference, var shown) when question == Question.NEW_PIN ->
          Answer.of(answer(request, person, check, reference, attempt(request, person, client, typed.pin())));
      // PIN and code have counted, and the page shows the PIN that is kept.
      case Challenged(Question question, var reference, var shown) when question == Question.SERVER_PIN ->
          Answer.of(tokens.keep(request, person, before, "-", typed.pin()));
      case Challenged challenged -> Answer.of(Outcome.NEXT_CODE_NEEDED);
      case Accepted(Person who, String serial) ->
          Answer.of(who.id().equals(person.id()) ? tokens.keep(request, person, before, serial, typed.pin()) : Outcome.NOT_ACCEPTED);
    };
  }

  /** Challenges end when the PINs change: what a former PIN has begun, changes no later one. */
  private static String clientOf(TokenHolder holder) {
    return OwnTokens.CLIENT + ":" + holder.sealedPins().map(pins -> Sha256.hex(pins).substring(0, DIGITS)).orElse("none");
  }

  private static PasscodeResult passed(RealmRequest request, Person person, PasscodeCheck check, String client, Typed typed) {
    PasscodeAttempt attempt = attempt(request, person, client, typed.passcode());
    return typed.reference().isEmpty() ? check.check(attempt) : check.answer(typed.reference(), attempt);
  }

  /** A PIN that has to be changed anyway: its question is asked twice, and both answers are there. */
  private Outcome answer(RealmRequest request, Person person, PasscodeCheck check, String reference, PasscodeAttempt pin) {
    if (check.answer(reference, pin) instanceof Challenged(Question question, String next, var none)
        && check.answer(next, pin) instanceof Accepted(Person who, String serial)) {
      tokens.record(request, person, serial, "pin-set");
      return Outcome.DONE;
    }
    return Outcome.PIN_NOT_ALLOWED;
  }

  /**
   * Sets the PIN of a person who has none; that the person has just logged in, is proved by the caller.
   *
   * @param typed with a code of a token, two successive ones after several wrong ones, or no code if the token answers challenges
   */
  public Answer first(RealmRequest request, Person person, Typed typed) {
    Optional<Outcome> bad = OwnTokens.problem(OwnTokens.rules(request), typed.pin(), typed.again());
    if (bad.isPresent()) {
      return new Answer(bad.get(), asked(request, person, FIRST, typed.reference()));
    }
    if (typed.reference().isEmpty() && !(typed.passcode().isBlank() && isByResponse(request, person))) {
      return Answer.of(tokens.firstPin(request, person, typed.passcode(), typed.pin(), typed.again()));
    }
    TokenHolder before = tokens.holder(request, person, parts.clock.instant());
    if (before.sealedPins().isPresent()) {
      return Answer.of(Outcome.NOT_ACCEPTED);
    }
    if (typed.reference().isEmpty()) {
      return ask(request, person, before);
    }
    PasscodeCheck check = parts.of(request.realm()).orElseThrow();
    return switch (check.answer(typed.reference(), attempt(request, person, FIRST, typed.passcode()))) {
      case Accepted(Person who, String serial) when who.id().equals(person.id()) ->
          Answer.of(tokens.keep(request, person, before, serial, typed.pin()));
      case Challenged(Question question, String reference, var shown) when question == Question.RESPONSE ->
          new Answer(Outcome.RESPONSE_NEEDED, Optional.of(new Asked(reference, shown.orElse(""))));
      case PasscodeResult other -> Answer.of(Outcome.NOT_ACCEPTED);
    };
  }

  /** A token whose responses depend on a PIN has no way to the first one. */
  private Answer ask(RealmRequest request, Person person, TokenHolder holder) {
    Instant now = parts.clock.instant();
    Optional<Token> token =
        usable(request, person, now).filter(one -> OcraTokens.isOne(one) && OcraTokens.suite(one).pin().isEmpty()).findFirst();
    if (token.isEmpty() || holder.wrong() >= OwnTokens.rules(request).lockAfter()) {
      return Answer.of(tokens.refused(request, person, token.isEmpty() ? Reason.NO_TOKEN : Reason.LOCKED));
    }
    String realm = request.realm().name();
    String text = OcraTokens.challenge(parts.sealing, realm, token.get(), token.get().lastUsed(), now);
    String key =
        parts.keep(
            new Challenge(
                realm, person.id(), person.name(), FIRST, Question.RESPONSE, token.get().serial(), RealmPasscodes.NOT_ANSWERED, text));
    return new Answer(Outcome.RESPONSE_NEEDED, Optional.of(new Asked(key, text)));
  }

  /** The challenge that is still to be answered, after a PIN that cannot be chosen. */
  private Optional<Asked> asked(RealmRequest request, Person person, String client, String reference) {
    return Optional.of(reference)
        .filter(key -> !key.isEmpty())
        .flatMap(parts.challenges::peek)
        .filter(one -> one.realm().equals(request.realm().name()) && one.person().equals(person.id()))
        .filter(one -> one.client().equals(client) && one.question() == Question.RESPONSE)
        .map(one -> new Asked(reference, one.pin()));
  }

  private static PasscodeAttempt attempt(RealmRequest request, Person person, String client, String passcode) {
    return new PasscodeAttempt(person.name(), passcode, client, request.http().client().getHostAddress());
  }
}
