package dev.gatehouse.common.otp;

/**
 * What a token makes codes from, and how they look.
 *
 * @param digits of a code, 6 to 8
 * @param period seconds for which a code of a {@link Kind#TOTP} token is shown, 30 or 60; 0 for one that counts
 */
public record TokenType(Kind kind, Hash hash, int digits, int period) {

  /** SHA-1, six digits, half a minute: the defaults of every software token. */
  public static final TokenType USUAL = new TokenType(Kind.TOTP, Hash.SHA1, 6, 30);

  /** What moves a token on. */
  public enum Kind {
    /** Its button (RFC 4226). */
    HOTP,
    /** The time (RFC 6238). */
    TOTP
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

  public TokenType {
    if (digits < 6 || digits > 8) {
      throw new IllegalArgumentException("A code has 6 to 8 digits, not " + digits);
    }
    if (kind == Kind.TOTP ? period != 30 && period != 60 : period != 0) {
      throw new IllegalArgumentException(kind + " with a period of " + period + " s: a TOTP token has 30 or 60, another has none");
    }
  }
}
