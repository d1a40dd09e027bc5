package dev.gatehouse.idp.otp;

import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import java.time.Instant;

/**
 * The counters or time steps whose codes may be meant (RFC 4226, section 7.4; RFC 6238, sections 5.2 and 6).
 *
 * @param first also one that was used, so that a replayed code is known as such
 * @param expected without drift, for what a code tells of the clock
 */
record TokenWindow(long first, long last, long expected) {

  /** Further drift is not learnt: a clock that is ten minutes off is broken, and the window must not wander. */
  static final int MOST_DRIFT = 20;

  /** How far a token may be off. */
  enum Width {
    /** For one code. */
    ONE_CODE(1, 10),
    /** Where two successive codes are asked for. */
    TWO_CODES(10, 50),
    /** Where a person has proved otherwise who they are, and types two successive codes. */
    RESYNCHRONISATION(MOST_DRIFT, 1000);

    private final int steps;
    private final int presses;

    Width(int steps, int presses) {
      this.steps = steps;
      this.presses = presses;
    }

    /** Time steps by which a clock may be off. */
    int steps() {
      return steps;
    }
  }

  static TokenWindow of(Token token, Instant now, Width width) {
    if (!token.type().kind().hasClock()) {
      return new TokenWindow(token.lastUsed() - width.presses, token.lastUsed() + width.presses, token.lastUsed() + 1);
    }
    long step = TokenCodes.step(token.type(), now);
    // A telephone has its time from the network: the window of an app neither wanders nor widens.
    int steps = token.type().kind() == TokenType.Kind.APP ? Width.ONE_CODE.steps : width.steps;
    return new TokenWindow(step + token.drift() - steps, step + token.drift() + steps, step);
  }

  /** The drift that a code at this step tells; none for a token that counts, nor for an app. */
  int drift(Token token, long used) {
    return token.type().kind() != TokenType.Kind.TOTP
        ? 0
        : (int) Math.clamp(used - expected, -MOST_DRIFT, MOST_DRIFT);
  }
}
