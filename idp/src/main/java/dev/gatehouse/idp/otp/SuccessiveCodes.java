package dev.gatehouse.idp.otp;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.idp.otp.TokenWindow.Width;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Two successive codes, or responses to two challenges, by which clock or counter of a token is found again. */
final class SuccessiveCodes {

  /**
   * Where a token is.
   *
   * @param used the counter or time step of the second code
   * @param pin what stood before both responses; empty if the token's suite has no PIN
   */
  record Found(long used, int drift, String pin) {
    @Override
    public String toString() {
      return "Found[" + used + "]";
    }
  }

  private SuccessiveCodes() {}

  static Optional<Found> find(SealingKey sealing, String realm, Token token, String first, String second, Instant now) {
    String one = first.replaceAll("\\s", "");
    String next = second.replaceAll("\\s", "");
    if (OcraTokens.isOne(token)) {
      return OcraTokens.findPair(sealing, realm, token, one, next, now);
    }
    TokenWindow window = TokenWindow.of(token, now, Width.RESYNCHRONISATION);
    OptionalLong used = TokenSeeds.codes(sealing, realm, token).findPair(one, next, window.first(), window.last());
    return used.isPresent()
        ? Optional.of(new Found(used.getAsLong(), window.drift(token, used.getAsLong()), ""))
        : Optional.empty();
  }

  /** Finds a code, or two of them that were typed one after the other. */
  static OptionalLong oneOrTwo(TokenCodes codes, Token token, String typed, TokenWindow window, boolean two) {
    int digits = token.type().digits();
    if (!two) {
      return codes.find(typed, window.first(), window.last());
    }
    return typed.length() == 2 * digits
        ? codes.findPair(typed.substring(0, digits), typed.substring(digits), window.first(), window.last())
        : OptionalLong.empty();
  }
}
