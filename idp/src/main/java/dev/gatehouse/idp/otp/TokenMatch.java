package dev.gatehouse.idp.otp;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.idp.otp.TokenWindow.Width;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A code that a token made.
 *
 * @param pin what stands before the code
 */
record TokenMatch(Token token, TokenWindow window, long used, String pin) {

  /** Finds the token that made the code at the end, one that can be used before others. */
  static Optional<TokenMatch> of(SealingKey sealing, String realm, List<Token> tokens, String typed, Instant now, Width width) {
    Optional<TokenMatch> found = Optional.empty();
    for (Token token : tokens.stream().filter(one -> !OcraTokens.isOne(one)).toList()) {
      int start = typed.length() - token.type().digits();
      if (start >= 0) {
        TokenWindow window = TokenWindow.of(token, now, width);
        OptionalLong used = TokenSeeds.codes(sealing, realm, token).find(typed.substring(start), window.first(), window.last());
        if (used.isPresent() && (found.isEmpty() || token.isUsable(now))) {
          found = Optional.of(new TokenMatch(token, window, used.getAsLong(), typed.substring(0, start)));
        }
      }
    }
    return found;
  }

  @Override
  public String toString() {
    return "TokenMatch[" + token + "]";
  }
}
