package dev.gatehouse.idp.otp;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.idp.otp.ocra.OcraCodes;
import dev.gatehouse.idp.otp.ocra.OcraCodes.Input;
import dev.gatehouse.idp.otp.ocra.OcraSuite;
import dev.gatehouse.idp.otp.ocra.OcraSuiteUnreadable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Responses of tokens to challenges (RFC 6287). */
final class OcraTokens {

  /** Presses that nobody has typed the code of (RFC 4226, section 7.4). */
  private static final int PRESSES = 10;

  /** The same, where a person types two successive responses. */
  private static final int MANY_PRESSES = 1000;

  private static final int STEPS = 1;
  private static final Duration TURN = Duration.ofMinutes(5);
  private static final byte[] NO_SESSION = {};

  /**
   * A response that a token made.
   *
   * @param used the counter; for a token without one the time, which only rises
   * @param pin what was typed before the response; empty if the suite has no PIN
   */
  record Found(Token token, long used, String pin) {
    @Override
    public String toString() {
      return "Found[" + token + "]";
    }
  }

  private OcraTokens() {}

  static boolean isOne(Token token) {
    return token.type().kind() == TokenType.Kind.OCRA;
  }

  static OcraSuite suite(Token token) {
    try {
      return OcraSuite.parse(token.type().suite().orElseThrow());
    } catch (OcraSuiteUnreadable e) {
      // It was read when the token came, and is not changed.
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the challenge of a token: the same until a response has counted or some minutes are over, so that nobody draws challenges until
   * one comes whose response they have seen.
   *
   * @param used what counted last
   */
  static String challenge(SealingKey sealing, String realm, Token token, long used, Instant now) {
    return challenge(sealing, realm, token, String.valueOf(used), now);
  }

  private static String challenge(SealingKey sealing, String realm, Token token, String what, Instant now) {
    long turn = Math.floorDiv(now.getEpochSecond(), TURN.toSeconds());
    AtomicInteger part = new AtomicInteger();
    RandomGenerator same =
        () -> {
          String text = token.serial() + " " + what + " " + turn + " " + part.getAndIncrement();
          return Long.parseUnsignedLong(sealing.digest(text, "otp-challenge", realm).substring(0, Long.BYTES * 2), 16);
        };
    return suite(token).challenge().create(same);
  }

  /** Returns whether the token has a counter that may have to be found again. */
  static boolean isCounting(Token token) {
    return isOne(token) && suite(token).counter();
  }

  /** Returns the two challenges to which a token shows its counter, never those of a login; the same ones for some minutes. */
  static List<String> pair(SealingKey sealing, String realm, Token token, Instant now) {
    return Stream.of("first", "second")
        .map(which -> challenge(sealing, realm, token, "counter " + token.lastUsed() + " " + which, now))
        .toList();
  }

  /** Finds the counter by the responses to the pair of challenges of these minutes, or of those before: reading and typing takes time. */
  static Optional<SuccessiveCodes.Found> findPair(
      SealingKey sealing, String realm, Token token, String first, String second, Instant now) {
    return isCounting(token)
        ? Stream.of(now, now.minus(TURN))
            .flatMap(at -> findPair(sealing, realm, token, pair(sealing, realm, token, at), List.of(first, second), now).stream())
            .findFirst()
        : Optional.empty();
  }

  private static Optional<SuccessiveCodes.Found> findPair(
      SealingKey sealing, String realm, Token token, List<String> challenges, List<String> typed, Instant now) {
    OcraSuite suite = suite(token);
    int pinLength = typed.getFirst().length() - suite.digits();
    if (pinLength < 0 || suite.pin().isPresent() != pinLength > 0 || typed.getLast().length() != typed.getFirst().length()) {
      return Optional.empty();
    }
    String pin = typed.getFirst().substring(0, pinLength);
    OcraCodes codes = new OcraCodes(suite, TokenSeeds.seed(sealing, realm, token));
    String response = typed.getFirst().substring(pinLength);
    List<Input> counters = candidates(suite, token, challenges.getFirst(), pin, now, MANY_PRESSES);
    for (Input one : counters.stream().filter(input -> codes.isOf(input, response)).toList()) {
      List<Input> next =
          candidates(suite, token, challenges.getLast(), pin, now, MANY_PRESSES + 1).stream()
              .filter(input -> input.counter() == one.counter() + 1)
              .toList();
      if (typed.getLast().startsWith(pin) && codes.find(typed.getLast().substring(pinLength), next).isPresent()) {
        return Optional.of(new SuccessiveCodes.Found(one.counter() + 1, 0, pin));
      }
    }
    return Optional.empty();
  }

  /** Finds the token that answers the challenge so, of those that can be asked it. */
  static Optional<Found> find(SealingKey sealing, String realm, List<Token> tokens, String challenge, String typed, Instant now) {
    String response = typed.replaceAll("\\s", "");
    return tokens.stream()
        .filter(token -> isOne(token) && token.isUsable(now))
        .flatMap(token -> find(sealing, realm, token, challenge, response, now).stream())
        .findFirst();
  }

  private static Optional<Found> find(SealingKey sealing, String realm, Token token, String challenge, String typed, Instant now) {
    OcraSuite suite = suite(token);
    int start = typed.length() - suite.digits();
    if (!suite.challenge().fits(challenge) || start < 0 || suite.pin().isPresent() != start > 0) {
      return Optional.empty();
    }
    String pin = typed.substring(0, start);
    OcraCodes codes = new OcraCodes(suite, TokenSeeds.seed(sealing, realm, token));
    return codes
        .find(typed.substring(start), candidates(suite, token, challenge, pin, now, PRESSES))
        .map(input -> new Found(token, suite.counter() ? input.counter() : now.toEpochMilli(), pin));
  }

  private static List<Input> candidates(OcraSuite suite, Token token, String challenge, String pin, Instant now, int most) {
    long step = suite.step().isPresent() ? Math.floorDiv(now.getEpochSecond(), suite.step().getAsInt()) : 0;
    int presses = suite.counter() ? most : 1;
    int steps = suite.step().isPresent() ? STEPS : 0;
    List<Input> inputs = new ArrayList<>();
    for (int press = 1; press <= presses; press++) {
      for (int away = -steps; away <= steps; away++) {
        inputs.add(new Input(token.lastUsed() + press, challenge, pin, NO_SESSION, step + away));
      }
    }
    return inputs;
  }
}
