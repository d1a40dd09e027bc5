package dev.gatehouse.idp.oauth.device;

import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * The code that a person types: eight of twenty letters that form no words and cannot be mistaken for digits (RFC 8628,
 * section 6.1), 34 bits. Guesses are throttled.
 *
 * @param letters in capitals, without the hyphen
 */
record UserCode(String letters) {

  private static final String ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
  private static final int LENGTH = 8;
  private static final Pattern CODE = Pattern.compile("[" + ALPHABET + "]{" + LENGTH + "}");
  private static final int LONGEST_TYPED = 64;

  static UserCode create(RandomGenerator random) {
    StringBuilder letters = new StringBuilder(LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      letters.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return new UserCode(letters.toString());
  }

  /** Reads a typed code, in upper or lower case, with separators between the letters. */
  static Optional<UserCode> parse(String typed) {
    if (typed.length() > LONGEST_TYPED) {
      return Optional.empty();
    }
    String letters = typed.replaceAll("[\\s\\p{Pd}._]", "").toUpperCase(Locale.ROOT);
    return CODE.matcher(letters).matches() ? Optional.of(new UserCode(letters)) : Optional.empty();
  }

  /** The displayed form: {@code WDJB-MJHT}. */
  String shown() {
    return letters.substring(0, LENGTH / 2) + "-" + letters.substring(LENGTH / 2);
  }
}
