package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
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

  static String[] context(String realm, String serial) {
    return new String[] {"otp-seed", realm, serial};
  }

  /** Makes a token of a seed that belongs to nobody yet. */
  public Token token(String realm, String serial, TokenType type, byte[] seed, long counter, Optional<Instant> expiresAt) {
    return Token.created(serial, type, sealing.seal(seed, context(realm, serial)), counter - 1, expiresAt);
  }

  /** Gives a person a token and a PIN, unless a token with this serial number is there. */
  public void ensure(String realm, String serial, byte[] seed, PersonId person, String pin) {
    if (tokens.add(realm, List.of(token(realm, serial, TokenType.USUAL, seed, 0, Optional.empty()))).isEmpty()) {
      tokens.assign(realm, serial, person);
      givePin(realm, person, pin);
    }
  }

  /** Sets a person's first PIN. */
  public void givePin(String realm, PersonId person, String pin) {
    tokens.keepPins(realm, person, Optional.of(pins.sealed(realm, person, Optional.empty(), pin, 1)), false);
  }
}
