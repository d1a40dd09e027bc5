package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.idp.totp.TotpSecret;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Brings seeds into the realm: sealed for realm and serial number, so that no row can be exchanged for another. */
public final class TokenSeeds {

  private final Tokens tokens;
  private final PinHashes pins;
  private final SealingKey sealing;

  public TokenSeeds(Tokens tokens, PinHashes pins, SealingKey sealing) {
    this.tokens = tokens;
    this.pins = pins;
    this.sealing = sealing;
  }

  private static String[] context(String realm, String serial) {
    return new String[] {"otp-seed", realm, serial};
  }

  /** The codes of a token that answers no challenges. */
  static TokenCodes codes(SealingKey sealing, String realm, Token token) {
    return new TokenCodes(token.type(), seed(sealing, realm, token));
  }

  static byte[] seed(SealingKey sealing, String realm, Token token) {
    String[] context =
        token.type().kind() == TokenType.Kind.APP
            ? TotpSecret.context(realm, token.person().orElseThrow(), token.serial())
            : context(realm, token.serial());
    return sealing.open(token.sealedSeed(), context);
  }

  /** Makes a token of a seed that belongs to nobody yet. */
  public Token token(String realm, String serial, TokenType type, byte[] seed, long counter, Optional<Instant> expiresAt) {
    return Token.created(serial, type, sealing.seal(seed, context(realm, serial)), counter - 1, expiresAt);
  }

  /** Gives a person a token and a PIN, unless a token with this serial number is there. */
  public void ensure(String realm, String serial, byte[] seed, PersonId person, String pin) {
    if (tokens.add(realm, List.of(token(realm, serial, TokenType.USUAL, seed, 0, Optional.empty()))).isEmpty()) {
      tokens.assign(realm, serial, person);
      tokens.keepPins(realm, person, Optional.of(first(realm, person, pin)), false);
    }
  }

  /** Sets a person's first PIN; returns false if there is one by now. */
  public boolean givePin(String realm, PersonId person, String pin) {
    return tokens.replacePins(realm, person, Optional.empty(), first(realm, person, pin), false);
  }

  private byte[] first(String realm, PersonId person, String pin) {
    return pins.sealed(realm, person, Optional.empty(), pin, 1);
  }
}
