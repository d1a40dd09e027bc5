package dev.gatehouse.idp.otp.seed;

import dev.gatehouse.common.otp.TokenType;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/** An entry of a file of seeds. */
sealed interface SeedEntry {

  /** Its position in the file: of a key from 1, of a line with the header as line 1. */
  int number();

  String serial();

  /** A seed that can be a token. */
  record Seed(int number, String serial, TokenType type, byte[] secret, long counter, Optional<Instant> expiresAt) implements SeedEntry {
    @Override
    public String toString() {
      return "Seed[" + number + ", " + serial + "]";
    }
  }

  /**
   * An entry that cannot be a token.
   *
   * @param serial empty if it has none
   * @param reason a sentence for administrators, without anything secret
   */
  record Unusable(int number, String serial, String reason) implements SeedEntry {}

  /** RFC 4226, section 4, R6: 128 bits at least. */
  int LEAST_BYTES = 16;

  int MOST_BYTES = 128;

  /** Ends that databases and other programs can store. */
  Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");

  Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  /**
   * What a serial number may be: it stands in addresses, where some words mean something else, and {@code app-} begins those of tokens that
   * people set up and may remove themselves.
   */
  Pattern SERIAL = Pattern.compile("(?!(?:people|report|import|changes)$)(?!(?i:app-))[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}");

  /** Makes an entry of what was read. */
  static SeedEntry of(int number, String serial, TokenType type, byte[] secret, long counter, Optional<Instant> expiresAt) {
    if (!SERIAL.matcher(serial).matches()) {
      String shown = serial.length() > 64 ? serial.substring(0, 64) : serial;
      String rule = "A serial number has 1 to 64 letters, digits and . _ @ + -, does not begin with app-";
      return new Unusable(number, shown, rule + ", and is not people, report or import.");
    }
    if (secret.length < LEAST_BYTES || secret.length > MOST_BYTES) {
      String needed = " bytes: it needs " + LEAST_BYTES + " to " + MOST_BYTES + " (RFC 4226, section 4).";
      return new Unusable(number, serial, "The seed has " + secret.length + needed);
    }
    if (counter < 0 || counter > Integer.MAX_VALUE) {
      return new Unusable(number, serial, "The counter is a number from 0 to " + Integer.MAX_VALUE + ".");
    }
    if (expiresAt.filter(end -> end.isBefore(EARLIEST) || !end.isBefore(LATEST)).isPresent()) {
      return new Unusable(number, serial, "The end is a time from 2000 to 2199.");
    }
    return new Seed(number, serial, type, secret, counter, expiresAt);
  }
}
