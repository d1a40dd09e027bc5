package dev.gatehouse.common.otp;

import java.util.Optional;

/**
 * What a token makes codes from, and how they look.
 *
 * @param digits of a code, 6 to 8
 * @param period seconds for which a code is shown of a token with a clock, 30 or 60; 0 for another
 * @param suite of a {@link Kind#OCRA} token, which says the rest as well; empty for another
 */
public record TokenType(Kind kind, Hash hash, int digits, int period, Optional<String> suite) {

  /** SHA-1, six digits, half a minute: the defaults of every software token. */
  public static final TokenType USUAL = new TokenType(Kind.TOTP, Hash.SHA1, 6, 30);

  /** What moves a token on. */
  public enum Kind {
    /** Its button (RFC 4226). */
    HOTP,
    /** The time (RFC 6238). */
    TOTP,
    /** The time, and its person proves a password before: the second step of a login takes its code without a PIN. */
    APP,
    /** A challenge (RFC 6287). */
    OCRA;

    /** Returns whether the time moves it on. */
    public boolean hasClock() {
      return this == TOTP || this == APP;
    }
  }

  /** The hash of the token's HMAC. */
  public enum Hash {
    SHA1("HmacSHA1"),
    SHA256("HmacSHA256"),
    SHA512("HmacSHA512");

    private final String mac;

    Hash(String mac) {
      this.mac = mac;
    }

    /** The algorithm's name in Java. */
    public String mac() {
      return mac;
    }
  }

  /** A token that makes codes without a challenge. */
  public TokenType(Kind kind, Hash hash, int digits, int period) {
    this(kind, hash, digits, period, Optional.empty());
  }

  public TokenType {
    if (suite.isPresent() != (kind == Kind.OCRA)) {
      throw new IllegalArgumentException(kind + " with suite " + suite + ": an OCRA token has one, another has none");
    }
    if (digits < 6 || digits > 8) {
      throw new IllegalArgumentException("A code has 6 to 8 digits, not " + digits);
    }
    if (kind.hasClock() ? period != 30 && period != 60 : period != 0) {
      throw new IllegalArgumentException(kind + " with a period of " + period + " s: a token with a clock has 30 or 60, another has none");
    }
  }
}
